/** The components that change the favourites, in one lazy chunk. */
export { FavoriteMenu } from "./FavoriteMenu.tsx";
export { FavoriteOrder } from "./FavoriteOrder.tsx";

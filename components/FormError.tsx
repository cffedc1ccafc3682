import { CircleAlert } from "lucide";
import { Icon } from "./Icon.tsx";

/** What is wrong with a form as a whole; without words it takes no room, and is yet listened to. */
export function FormError({ text }: { text: string | undefined }) {
  return (
    <div role="alert" className="form-error">
      {text && (
        <p className="form-error__text">
          <Icon glyph={CircleAlert} />
          {text}
        </p>
      )}
    </div>
  );
}

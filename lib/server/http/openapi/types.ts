/** The parts of OpenAPI 3.1 that this document uses. */

/** A JSON Schema (draft 2020-12). */
export interface Schema {
  $ref?: string;
  type?: SchemaType | SchemaType[];
  description?: string;
  enum?: readonly (string | number | boolean)[];
  const?: string | number | boolean;
  format?: "date-time" | "binary";
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  propertyNames?: Schema;
  additionalProperties?: Schema | boolean;
  default?: string | number | boolean;
  examples?: readonly unknown[];
}

/** The types of JSON values. */
export type SchemaType = "array" | "boolean" | "integer" | "null" | "number" | "object" | "string";

/** A reference to an object in `components`. */
export interface Reference {
  $ref: string;
}

/** A parameter in the path, the query or a header. */
export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description: string;
  schema: Schema;
  example?: string | number | boolean;
}

/** A response header. */
export interface Header {
  description: string;
  required?: boolean;
  schema: Schema;
}

/** A body in one media type; binary without a schema. */
export interface MediaType {
  schema?: Schema;
  example?: unknown;
}

/** A request body. */
export interface RequestBody {
  description: string;
  required?: boolean;
  content: Record<string, MediaType>;
}

/** One response to a call. */
export interface Answer {
  description: string;
  headers?: Record<string, Header | Reference>;
  /** By media type; absent when the response has no body. */
  content?: Record<string, MediaType>;
}

/** One method of one path. */
export interface Operation {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  parameters?: (Parameter | Reference)[];
  requestBody?: RequestBody;
  /** By status. */
  responses: Record<string, Answer>;
  security: Record<string, string[]>[];
}

/** The methods that are documented. */
export type Method = "get" | "post" | "put" | "patch" | "delete";

/** All methods of one path. */
export type PathItem = Partial<Record<Method, Operation>>;

/** A way to authenticate. */
export type SecurityScheme =
  & { description: string }
  & (
    | { type: "apiKey"; in: "header" | "cookie" | "query"; name: string }
    | { type: "http"; scheme: "bearer" }
  );

/** The whole document. */
export interface ApiDocument {
  openapi: string;
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    headers: Record<string, Header>;
    securitySchemes: Record<string, SecurityScheme>;
  };
}

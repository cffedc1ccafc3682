/** The parts of an OpenAPI 3.1 document that ours is made of. */

/** A JSON Schema (draft 2020-12). */
export interface Schema {
  $ref?: string;
  type?: SchemaType | SchemaType[];
  description?: string;
  enum?: readonly (string | number | boolean)[];
  const?: string | number | boolean;
  format?: "date-time";
  pattern?: string;
  minLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  propertyNames?: Schema;
  additionalProperties?: Schema | boolean;
  default?: string | number | boolean;
  examples?: readonly unknown[];
}

/** What a value can be in JSON. */
export type SchemaType = "array" | "boolean" | "integer" | "null" | "number" | "object" | "string";

/** Something that is told of in `components` once. */
export interface Reference {
  $ref: string;
}

/** A part of the request's address, or one of its headers. */
export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description: string;
  schema: Schema;
  example?: string | number | boolean;
}

/** A header of an answer. */
export interface Header {
  description: string;
  required?: boolean;
  schema: Schema;
}

/** A body in one of its forms; without a schema it is bytes. */
export interface MediaType {
  schema?: Schema;
  example?: unknown;
}

/** What a request carries. */
export interface RequestBody {
  description: string;
  required?: boolean;
  content: Record<string, MediaType>;
}

/** One of the answers to a call. */
export interface Answer {
  description: string;
  headers?: Record<string, Header | Reference>;
  /** By media type; absent when the answer has no body. */
  content?: Record<string, MediaType>;
}

/** One method of one address. */
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

/** The methods that have a meaning of their own. */
export type Method = "get" | "post" | "put" | "patch" | "delete";

/** All that can be asked at one address. */
export type PathItem = Partial<Record<Method, Operation>>;

/** A way to show who is asking. */
export interface SecurityScheme {
  type: "apiKey";
  in: "header" | "cookie" | "query";
  name: string;
  description: string;
}

/** The whole document. */
export interface ApiDocument {
  openapi: string;
  info: { title: string; version: string; summary: string; description: string };
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

import type { JsonSchema } from './json-schema.js';

export interface Reference {
  $ref: string;
}

export interface ParameterObject {
  name: string;
  in: string;
  required: boolean;
  description?: unknown;
  style?: string;
  explode?: boolean;
  schema: JsonSchema;
  example?: unknown;
}

export interface HeaderObject {
  description: string;
  required?: boolean;
  schema: JsonSchema;
}

/** Content by media type. */
export type Content = Record<
  string,
  { schema: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown } | Reference> }
>;

export interface ResponseObject {
  description: string;
  headers: Record<string, HeaderObject | Reference>;
  content?: Content;
}

export interface OperationObject {
  tags: string[];
  summary: string;
  description: string;
  operationId: string;
  parameters: (ParameterObject | Reference)[];
  requestBody?: { required: boolean; description?: string; content: Content };
  /** Responses by HTTP status. */
  responses: Record<string, ResponseObject | Reference>;
}

/** The parts of OpenAPI 3.1 that our document uses. */
export interface OpenApiDocument {
  openapi: string;
  info: Record<string, unknown>;
  servers: { url: string }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  /** Operations by path and by method in lower case. */
  paths: Record<string, Record<string, OperationObject>>;
  /** Responses to an unknown path and to a method that a path does not have. */
  'x-other-paths': Record<string, ResponseObject>;
  components: {
    securitySchemes: Record<string, unknown>;
    parameters: Record<string, ParameterObject>;
    headers: Record<string, HeaderObject>;
    responses: Record<string, ResponseObject>;
    examples: Record<string, { summary: string; value: unknown }>;
    schemas: Record<string, JsonSchema>;
  };
}

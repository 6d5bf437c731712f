/** What a request was answered with, its dates moved to those of the examples. A body that is no JSON is a string. */
export interface ExampleAnswer {
  status: number;
  body: unknown;
}

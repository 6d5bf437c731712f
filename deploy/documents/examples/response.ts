/** Response to a request, with its dates shifted to those of the examples. A body other than JSON is a string. */
export interface ExampleResponse {
  status: number;
  body: unknown;
}

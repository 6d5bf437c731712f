/** The API documents of HTTP and Kafka, which are generated from these contracts. */
export const OPENAPI_FILE = new URL('../openapi.json', import.meta.url);
export const ASYNCAPI_FILE = new URL('../asyncapi.json', import.meta.url);

/** Statuses of orders that have not left the factory. A test compares them with the services' table. */
export const OPEN_STATUSES: ReadonlySet<number> = new Set([100, 150, 200, 300, 400]);

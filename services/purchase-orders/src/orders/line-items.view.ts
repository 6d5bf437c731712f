import type { Order } from '../domain/order.js';
import { itemsOf, lineItemOf, oncePerItem } from '../domain/values.js';

const writtenItem = oncePerItem((cells) => JSON.stringify(lineItemOf(cells)));

/** The line items that people see, as JSON. */
export const writtenLineItems = (order: Order): string => `[${itemsOf(order).map(writtenItem).join()}]`;

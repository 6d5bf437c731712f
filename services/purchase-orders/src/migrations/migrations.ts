import type { Migration } from '@po/database';
import { CreatePurchaseOrders1763000000001 } from './0001-create-purchase-orders.js';
import { CreateOutbox1763000000002 } from './0002-create-outbox.js';
import { IndexHistoryByVendorAndOrder1763000000003 } from './0003-index-history-by-vendor-and-order.js';
import { FreeOutboxOfIds1763000000004 } from './0004-free-outbox-of-ids.js';
import { MeasureOutbox1763000000005 } from './0005-measure-outbox.js';
import { CreateSearch1795500000001 } from './0006-create-search.js';
import { INDEXED_LISTS } from './0007-index-lists.js';
import { StoreQuickly1795500000012 } from './0008-store-quickly.js';
import { IndexUnshippedOrders } from './0009-index-unshipped-orders.js';
import { NoteRestatements1795500000014 } from './0010-note-restatements.js';
import { NoteRenamings1795500000015 } from './0011-note-renamings.js';
import { REMINDERS } from './0012-remind.js';
import { INDEXED_BUYERS } from './0013-index-buyers.js';
import { Converse1795500000030 } from './0014-converse.js';
import { NoteActivity1795500000040 } from './0016-note-activity.js';
import { TOLERANCES } from './0015-tolerate.js';

/** In the order they are applied. One that was released never changes. */
export const MIGRATIONS: Migration[] = [
  CreatePurchaseOrders1763000000001,
  CreateOutbox1763000000002,
  IndexHistoryByVendorAndOrder1763000000003,
  FreeOutboxOfIds1763000000004,
  MeasureOutbox1763000000005,
  CreateSearch1795500000001,
  ...INDEXED_LISTS,
  StoreQuickly1795500000012,
  IndexUnshippedOrders,
  NoteRestatements1795500000014,
  NoteRenamings1795500000015,
  ...REMINDERS,
  ...INDEXED_BUYERS,
  Converse1795500000030,
  ...TOLERANCES,
  NoteActivity1795500000040,
];

import { OUTBOX_DDL, OUTBOX_RESTATEMENTS } from '@po/messaging';
import { internalRows, vendorRows } from './access.js';

const LOGS = ['command_log', 'command_refusals'];

/** Answers and refusals of commands, and the outbox. */
export const COMMANDS = `
CREATE TABLE command_log (
  key_hash text PRIMARY KEY,
  vendor_code text,
  command_id text NOT NULL,
  body_hash text NOT NULL,
  status smallint NOT NULL,
  headers json NOT NULL,
  body text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX command_log_expiry ON command_log (expires_at);

CREATE TABLE command_refusals (
  command_id text PRIMARY KEY,
  vendor_code text,
  code text NOT NULL,
  members json NOT NULL,
  options json NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX command_refusals_expiry ON command_refusals (expires_at);

${OUTBOX_DDL}
${OUTBOX_RESTATEMENTS}

${LOGS.map((table) => vendorRows(table)).join('')}
GRANT SELECT, INSERT, UPDATE, DELETE ON ${LOGS.join(', ')} TO po_internal;
GRANT SELECT, INSERT, UPDATE ON ${LOGS.join(', ')} TO po_vendor;

-- A vendor's request may add records of the vendor's own orders to the outbox, but cannot read the outbox. The inner SELECT is itself
-- subject to the vendor's policy on purchase_orders.
${['outbox', 'outbox_restatements'].map(internalRows).join('')}
CREATE POLICY vendor ON outbox FOR INSERT TO po_vendor
  WITH CHECK (EXISTS (SELECT 1 FROM purchase_orders o WHERE o.po_number = outbox.key));
GRANT SELECT, INSERT, UPDATE, DELETE ON outbox, outbox_leases, outbox_restatements TO po_internal;
GRANT INSERT ON outbox TO po_vendor;
`;

/**
 * Columns that are written once, read at most once, and deleted soon. PostgreSQL's own compression takes 10 ms for the state of an order
 * with thousands of rows, in a transaction that a user waits for. LZ4 is far faster, if the server was built with it.
 */
export const SHORT_LIVED_COLUMNS = [
  ['outbox', 'messages'],
  ['command_log', 'body'],
] as const;

// Limits of requests that clients check before they send. This file imports nothing, because the portal loads it.

export const MAX_PRICE = 9_999_999_999.9999;
export const MAX_QTY = 9_999_999;
/** Lines of one request. */
export const MAX_PATCHED_LINES = 1_000;
/** Characters of a vendor's or a transition's comment. */
export const MAX_COMMENT = 2_000;

/** Characters of a message. */
export const MAX_MESSAGE = 4_000;
export const MAX_MESSAGE_ROWS = 50;
export const MAX_MENTIONS = 20;

/** Characters of filters of the list of orders. */
export const MAX_SEARCH = 100;
export const MAX_VENDOR = 200;
export const MAX_EMAIL = 320;
/** PO numbers in a query. */
export const MAX_PO_REFS = 200;

/** Views of a user on one side. */
export const MAX_VIEWS = 50;
export const MAX_VIEW_NAME = 80;

export const MAX_VENDOR_CODE = 50;
export const MAX_POLICY_DAYS = 9_999;
export const MAX_POLICY_PERCENT = 9_999.99;
/** Thirteen digits and two decimals, which a double represents accurately enough. */
export const MAX_POLICY_AMOUNT = 9_999_999_999_999.99;
export const MAX_POLICY_CURRENCIES = 200;

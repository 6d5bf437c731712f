import { z } from 'zod';
import { MAX_VIEW_NAME } from '../limits.js';
import { ListParameters } from './queries.js';
import { distinct } from '../validation/distinct-by.js';
import { localizedMessage } from '../validation/localized-message.js';
import { Instant, text, trimmedLine, trimmedText } from '../validation/text.js';

/** Maximum digits of a number, which limits leading zeros. */
const MAX_DIGITS = 20;
const MAX_COLUMNS = 50;

interface Documented {
  type?: string;
  description?: string;
  minLength?: number;
  maxLength?: number;
  enum?: string[];
  items?: { enum?: string[]; pattern?: string };
  maxItems?: number;
}

/** Documentation of a query parameter as a JSON string. */
function documentedAs(documented: Documented): object {
  const { type, description, minLength, maxLength, enum: values, items, maxItems } = documented;
  const each = items?.enum?.join('|') ?? items?.pattern?.replaceAll(/^\^|\$$/g, '');
  if (type === 'integer') return { description, pattern: '^[1-9][0-9]*$' };
  if (type === 'boolean') return { description, enum: ['true', 'false'] };
  if (values) return { description, enum: values };
  if (each) return { description, pattern: `^(${each})(,(${each}))${maxItems ? `{0,${maxItems - 1}}` : '*'}$` };
  return { description, ...(minLength && { minLength }), ...(maxLength && { maxLength }) };
}

/** A parameter of the list: validated as in the list, stored as sent. */
function asSent(parameter: z.ZodType) {
  const documented = z.toJSONSchema(parameter, { io: 'input' }) as Documented;
  const any = documented.type === 'integer' ? text(MAX_DIGITS) : z.string();
  return any
    .check(({ value, issues }) => {
      const found = parameter.safeParse(value, { reportInput: true }).error?.issues ?? [];
      issues.push(...found.map((issue) => ({ ...issue, input: value, continue: true }) as z.core.$ZodRawIssue));
    })
    .meta({ ...any.meta(), ...documentedAs(documented) })
    .optional();
}

const ViewQuery = z
  .strictObject(
    Object.fromEntries(
      Object.entries(ListParameters.shape).map(([name, parameter]) => [name, asSent(parameter)]),
    ) as Record<keyof typeof ListParameters.shape, z.ZodOptional<z.ZodString>>,
  )
  .meta({ id: 'ViewQuery', description: 'Parameters of the list of orders, each as the text in a query string.' });

const NAME = 'Display name in one line; several views may have the same name.';
const COLUMNS = "Names of list columns in their order, each once; null for the client's default columns.";
const REPEATED_COLUMN = localizedMessage('DUPLICATE', 'must not repeat a column', '列不能重复');
const SHARED = "Whether everyone on the owner's side sees the view: all internal roles, or users of the same vendor.";

/** A complete view as sent by a user. */
export const ViewRequest = z
  .strictObject({
    name: trimmedLine(MAX_VIEW_NAME).min(1).describe(NAME),
    query: ViewQuery,
    columns: z
      .array(text(50).min(1))
      .max(MAX_COLUMNS)
      .superRefine(distinct(REPEATED_COLUMN))
      .nullable()
      .default(null)
      .meta({ default: null, description: COLUMNS }),
    shared: z.boolean().default(false).meta({ default: false, description: SHARED }),
  })
  .meta({ id: 'ViewRequest', description: 'A view to store.' });
export type ViewRequest = z.infer<typeof ViewRequest>;

/** A saved view of the order list. */
export const View = z
  .object({
    id: z.string(),
    // Accepts several lines, because older stored names may have them.
    name: trimmedText(80).min(1).describe(NAME),
    // Passes on parameters that only another version knows.
    query: z.record(z.string(), z.string()).describe('Parameters of the list of orders, as they were sent.'),
    columns: z.array(z.string()).nullable().describe(COLUMNS),
    shared: z.boolean().describe(SHARED),
    ownerId: z.string(),
    ownerName: z
      .string()
      .nullable()
      .describe("The owner's name when they last stored the view; null if their token had none."),
    mine: z.boolean().describe('Whether the caller is the owner.'),
    version: z.int(),
    updatedAt: Instant,
  })
  .meta({ id: 'View', description: 'A saved view of the order list: its parameters and columns.' });
export type View = z.infer<typeof View>;

/** Write requests on `notifications.rpc.v1`. The id is from the path. */
export const ReplaceView = z.object({ id: z.string(), view: ViewRequest });
export type ReplaceView = z.infer<typeof ReplaceView>;
export const DeleteView = z.object({ id: z.string() });
export type DeleteView = z.infer<typeof DeleteView>;

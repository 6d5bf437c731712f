import { z } from 'zod';
import { ListParameters } from './queries.js';
import { distinct } from '../validation/distinct-by.js';
import { localizedMessage } from '../validation/localized-message.js';
import { Instant, text, trimmedLine, trimmedText } from '../validation/text.js';

/** Of one user, on one side. */
export const MAX_VIEWS = 50;
/** Of a number: leading zeros have no end of their own. */
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

/** How the text of a parameter is documented where it is a JSON string and not a part of a query string. */
function documentedAs(documented: Documented): object {
  const { type, description, minLength, maxLength, enum: values, items, maxItems } = documented;
  const each = items?.enum?.join('|') ?? items?.pattern?.replaceAll(/^\^|\$$/g, '');
  if (type === 'integer') return { description, pattern: '^[1-9][0-9]*$' };
  if (type === 'boolean') return { description, enum: ['true', 'false'] };
  if (values) return { description, enum: values };
  if (each) return { description, pattern: `^(${each})(,(${each}))${maxItems ? `{0,${maxItems - 1}}` : '*'}$` };
  return { description, ...(minLength && { minLength }), ...(maxLength && { maxLength }) };
}

/** A parameter of the list: checked as there, kept as it was sent. */
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
  .meta({ id: 'ViewQuery', description: 'Parameters of the list of orders, each as the text of a query string.' });

const NAME = 'For people, in one line; several views may have the same.';
const COLUMNS = 'Names of columns of the list in their order, each once; null: those that the client shows otherwise.';
const REPEATED_COLUMN = localizedMessage('DUPLICATE', 'must not repeat a column', '列不能重复');
const SHARED = "Whether everybody on the owner's side sees it: all internal roles, or users of the same vendor.";

/** What a user stores as a view: all of it. */
export const ViewRequest = z
  .strictObject({
    name: trimmedLine(80).min(1).describe(NAME),
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
  .meta({ id: 'ViewRequest', description: 'A view as its user wants it.' });
export type ViewRequest = z.infer<typeof ViewRequest>;

/** A stored selection of the list of orders. */
export const View = z
  .object({
    id: z.string(),
    // One that was stored before names had to be one line is shown, too.
    name: trimmedText(80).min(1).describe(NAME),
    // A parameter that only another version knows is passed on.
    query: z.record(z.string(), z.string()).describe('Parameters of the list of orders, as they were sent.'),
    columns: z.array(z.string()).nullable().describe(COLUMNS),
    shared: z.boolean().describe(SHARED),
    ownerId: z.string(),
    ownerName: z.string().nullable().describe('As of when the owner last stored it; null for a token without a name.'),
    mine: z.boolean().describe('Whether the caller is the owner.'),
    version: z.int(),
    updatedAt: Instant,
  })
  .meta({ id: 'View', description: 'A stored selection of the list of orders, with its columns.' });
export type View = z.infer<typeof View>;

/** What `notifications.rpc.v1` takes as writes. The id is the path's. */
export const ReplaceView = z.object({ id: z.string(), view: ViewRequest });
export type ReplaceView = z.infer<typeof ReplaceView>;
export const DeleteView = z.object({ id: z.string() });
export type DeleteView = z.infer<typeof DeleteView>;

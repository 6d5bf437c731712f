import { FIXED_HEADERS } from '@po/gateway/dist/http/fixed-headers.js';
import { API_ROOT } from '@po/gateway/dist/http/route-table.js';
import { type Operation, pathTemplateOf } from '@po/gateway/dist/routes/operation.js';
import { OPERATIONS } from '@po/gateway/dist/routes/operations.js';
import { description } from './guide.js';
import { type Recorded, recordedResponses } from './examples/recorded.js';
import { REQUEST_HEADERS, headerComponents, headersOf } from './headers.js';
import { NamedSchemas } from './json-schema.js';
import type { OpenApiDocument } from './openapi-document.js';
import { operationObject } from './operation-object.js';
import { Refusals } from './refusals.js';

const CHAPTERS: Record<Operation['tag'], string> = {
  'Purchase orders': 'Finding orders, replying to them, moving them through the workflow.',
  Notifications: "The caller's notifications, and which of them were read.",
  Dashboard: 'Order counts by status, and recent activity.',
  Users: 'Who gets notifications.',
  Views: 'Stored filters and columns of the order list.',
  'Approval policies': 'Which submissions are approved automatically.',
  Mail: 'Addresses that the mail server refused.',
  Lookups: 'Data for pages: the caller, statuses, vendors, actions.',
};

const TOKEN =
  'A JSON Web Token of your identity provider: RS256, ES256 or EdDSA, with `kid`, `iss`, `aud`, `exp`, `iat`, `sub` and `role`, of a ' +
  'vendor also `vendor_code`. One `Bearer ` before it is tolerated.';

/** OpenAPI 3.1 document of the HTTP API, generated from the declarations that parse requests. `recorded`: the examples. */
export function openApi(recorded: Recorded = recordedResponses()): OpenApiDocument {
  const schemas = new NamedSchemas();
  const refusals = new Refusals(schemas, recorded);
  const paths: OpenApiDocument['paths'] = {};
  for (const [id, operation] of Object.entries<Operation>(OPERATIONS)) {
    const methods = (paths[pathTemplateOf(operation)] ??= {});
    methods[operation.method.toLowerCase()] = operationObject(id, operation, { schemas, refusals, recorded });
  }
  const responses = {
    NotModified: { description: 'The caller already has this version.', headers: headersOf(['etag']) },
    ...refusals.all(),
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Purchase Order Collaboration',
      version: FIXED_HEADERS['x-api-version'],
      summary: 'Buyers and factories work on the same purchase orders.',
      description: description(),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: API_ROOT }],
    security: [{ 'X-User-Token': [] }],
    tags: Object.entries(CHAPTERS).map(([name, description]) => ({ name, description })),
    paths,
    'x-other-paths': refusals.ofNone(),
    components: {
      securitySchemes: {
        'X-User-Token': { type: 'apiKey', in: 'header', name: 'X-User-Token', description: TOKEN },
      },
      parameters: REQUEST_HEADERS,
      headers: headerComponents([paths, responses]),
      responses,
      examples: refusals.examples(),
      schemas: schemas.all(),
    },
  };
}

import { Readable } from 'node:stream';
import { Controller, Req, Res } from '@nestjs/common';
import { ExportPlan, type ExportQuery, PATTERNS, ProblemError } from '@po/contracts';
import { type RpcReply, unavailable } from '@po/messaging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExportAdmission } from '../../admission/export-admission.js';
import { actorOf } from '../../http/request-context.js';
import { API_ROOT } from '../../http/route-table.js';
import { SHEETS, type Sheet } from '../../spreadsheets/columns.js';
import { exportFile } from '../../spreadsheets/export-file.js';
import { ExportPace } from '../../spreadsheets/export-pace.js';
import { CONTENT_TYPES } from '../../spreadsheets/media-types.js';
import { readRequest } from '../read-request.js';
import { Route } from '../route.js';
import { spreadsheets } from './spreadsheets.operations.js';
import { Upstream, jsonOf, sendResponse } from '../upstream.js';

const { exportPurchaseOrders } = spreadsheets;

@Controller(API_ROOT)
export class ExportsController {
  /** Shared by all exports of this gateway. */
  private readonly pace = new ExportPace();

  constructor(
    private readonly upstream: Upstream,
    private readonly admission: ExportAdmission,
  ) {}

  /** Requests the list of orders first, then their rows page by page. Every refusal comes before the first byte. */
  @Route(exportPurchaseOrders)
  async exportPurchaseOrders(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.admission.admit(actorOf(request).sub, reply.raw);
    const { query } = await readRequest(exportPurchaseOrders, request);
    const { format, ...selection } = query;
    const { level } = selection;
    const { locale } = request.context;
    const planned = await this.upstream.request(PATTERNS.planExport, selection satisfies ExportQuery, request);
    const plan = planned.status === 200 ? ExportPlan.parse(jsonOf(planned.body)) : null;
    const pattern = level === 'lines' ? PATTERNS.exportLines : PATTERNS.exportOrders;
    const fetchPage = (orders: number[]) =>
      this.upstream.request(pattern, { orders }, request, {
        enqueue: (send) =>
          this.pace.run(() => {
            if (reply.raw.destroyed) throw unavailable(1);
            return send();
          }),
      });
    const first = plan?.pages[0] && request.method === 'GET' ? await fetchPage(plan.pages[0]) : null;
    const refusal = [planned, first].find((answer) => answer && answer.status !== 200);
    if (!plan || refusal) {
      sendResponse(refusal ?? planned, reply);
      return;
    }
    this.admission.begin(reply.raw);
    reply
      .headers({
        'content-language': locale,
        'content-disposition': `attachment; filename="${fileName(format)}"`,
        // Behind an HTTP/1.0 proxy a truncated file ends like a complete one, so clients compare the number of rows.
        'x-total-count': String(plan.rows),
      })
      .type(CONTENT_TYPES[format]);
    if (request.method === 'HEAD') {
      await reply.send(Readable.from([]));
      return;
    }
    const produced = { rows: 0 };
    const isComplete = () => plan.rows === produced.rows;
    const pages = pagesOf(first, plan.pages.slice(1), fetchPage, request, isComplete);
    await reply.send(
      level === 'lines'
        ? exportFile(format, counted(SHEETS.lines(locale), produced), pages, locale)
        : exportFile(format, counted(SHEETS.orders(locale), produced), pages, locale),
    );
  }
}

/** The sheet, with its rows counted as they are produced. */
const counted = <Page>(sheet: Sheet<Page>, produced: { rows: number }): Sheet<Page> => ({
  ...sheet,
  rowsOf: (page) => {
    const rows = sheet.rowsOf(page);
    produced.rows += rows.length;
    return rows;
  },
});

/**
 * Yields the pages. Throws after the last one if the file has other rows than announced, because orders may have changed in between. Each
 * page is requested while the one before it is written: one in progress and one in memory, however slowly the client reads.
 */
async function* pagesOf(
  first: RpcReply | null,
  rest: number[][],
  fetchPage: (orders: number[]) => Promise<RpcReply>,
  request: FastifyRequest,
  isComplete: () => boolean,
): AsyncGenerator<Buffer> {
  let next: Promise<RpcReply> | null = first && Promise.resolve(first);
  try {
    for (const orders of [...rest, null]) {
      const page = await next;
      if (!page) break;
      if (page.status !== 200) throw new ProblemError('UNAVAILABLE');
      next = orders && fetchPage(orders);
      // Awaited in its turn, which may be after it failed, or never.
      next?.catch(() => undefined);
      yield page.body;
    }
    if (!isComplete()) throw new ProblemError('UNAVAILABLE');
  } catch (error) {
    // Too late for an error response: the connection is aborted, and the log has the code.
    request.context.refusal = error instanceof ProblemError ? error.code : 'INTERNAL';
    throw error;
  }
}

/** The date is the one in UTC. */
const fileName = (format: string): string => `purchase-orders-${new Date().toISOString().slice(0, 10)}.${format}`;

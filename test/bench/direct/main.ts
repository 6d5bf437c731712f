import fastify from 'fastify';
import pg from 'pg';

/**
 * The limit to compare with: the same statements without Kafka, services, tokens or checks. It reads the same tables, and its
 * transition does what a transition must do in SQL: lock, update, history, outbox. Not a product: it trusts everybody.
 */
export async function startDirectServer(databaseUrl: string): Promise<{ url: URL; close: () => Promise<void> }> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const app = fastify();
  await pool.query(`CREATE TABLE IF NOT EXISTS bench_history (id bigserial PRIMARY KEY, po_number text, action text, at timestamptz DEFAULT now());
                    CREATE TABLE IF NOT EXISTS bench_outbox (id bigserial PRIMARY KEY, body text)`);

  app.get<{ Params: { poRef: string } }>('/direct/:poRef', async (request, reply) => {
    const { rows } = await pool.query({
      name: 'direct-detail',
      text: 'SELECT * FROM purchase_orders WHERE po_number = $1',
      values: [request.params.poRef],
    });
    return rows[0] ?? reply.code(404).send({});
  });

  app.post<{ Params: { poRef: string }; Body: { action: string } }>('/direct/:poRef', async (request) => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const { rows } = await client.query<{ id: number; version: number }>({
        name: 'direct-lock',
        text: 'SELECT * FROM purchase_orders WHERE po_number = $1 FOR UPDATE',
        values: [request.params.poRef],
      });
      const order = rows[0];
      await client.query({
        name: 'direct-update',
        text: 'UPDATE purchase_orders SET updated_at = now() WHERE id = $1 AND version = $2',
        values: [order?.id, order?.version],
      });
      await client.query({
        name: 'direct-history',
        text: 'INSERT INTO bench_history (po_number, action) VALUES ($1, $2)',
        values: [request.params.poRef, request.body.action],
      });
      await client.query({
        name: 'direct-outbox',
        text: 'INSERT INTO bench_outbox (body) VALUES ($1)',
        values: [JSON.stringify(order)],
      });
      await client.query('COMMIT');
      return { success: true };
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  });

  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url: new URL(address),
    close: async () => {
      await app.close();
      await pool.query('DROP TABLE bench_history, bench_outbox');
      await pool.end();
    },
  };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { type RequestOptions, request } from 'node:https';
import { join } from 'node:path';
import { reservePorts } from '../../deploy/local/processes/ports.js';
import { run } from '../../deploy/local/processes/run.js';
import { eventually } from '@po/testing/eventually';
import type { Resource } from './chart.js';
import { programOf, runDir } from '../../deploy/tools/fixtures/ops-tools.js';

const TOKEN = 'of-this-run-alone';
/** In a range that no network uses (RFC 2544), because a node redirects all traffic to these addresses. */
const SERVICE_ADDRESSES = '198.18.2.0/24';

/** An API server as in a cluster, but without controllers: created objects never run. */
export class ApiServer {
  private readonly processes: ChildProcess[] = [];

  private constructor(
    readonly url: string,
    private readonly dir: string,
  ) {}

  static async start(): Promise<ApiServer> {
    const dir = join(runDir(), 'api-server');
    const { client, peer, port } = await reservePorts(dir, ['client', 'peer', 'port']);
    const server = new ApiServer(`https://127.0.0.1:${port}`, dir);
    const etcd = `http://127.0.0.1:${client}`;
    const members = `http://127.0.0.1:${peer}`;
    server.run('etcd', programOf('etcd'), [
      '--data-dir',
      join(dir, 'etcd'),
      '--listen-client-urls',
      etcd,
      '--advertise-client-urls',
      etcd,
      '--listen-peer-urls',
      members,
      '--initial-advertise-peer-urls',
      members,
      '--initial-cluster',
      `default=${members}`,
    ]);
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await writeFile(join(dir, 'sa.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
    await writeFile(join(dir, 'sa.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    await writeFile(join(dir, 'tokens'), `${TOKEN},admin,1,"system:masters"\n`, { mode: 0o600 });
    server.run('kube-apiserver', programOf('kube-apiserver'), [
      '--etcd-servers',
      etcd,
      '--bind-address',
      '127.0.0.1',
      '--advertise-address',
      '127.0.0.1',
      '--secure-port',
      String(port),
      '--endpoint-reconciler-type',
      'none',
      '--cert-dir',
      join(dir, 'certificates'),
      '--service-account-issuer',
      server.url,
      '--service-account-key-file',
      join(dir, 'sa.pub'),
      '--service-account-signing-key-file',
      join(dir, 'sa.key'),
      '--token-auth-file',
      join(dir, 'tokens'),
      '--authorization-mode',
      'RBAC',
      '--service-cluster-ip-range',
      SERVICE_ADDRESSES,
      // Without controllers, no default service account is created.
      '--disable-admission-plugins',
      'ServiceAccount',
    ]);
    await eventually(
      'the API server is ready',
      async () => {
        const { status, text } = await server.ask('GET', '/readyz');
        if (status !== 200) throw new Error(text);
        return true;
      },
      { timeoutMs: 120_000 },
    );
    return server;
  }

  /** Helm arguments for connecting to this server. */
  get helmArguments(): string[] {
    return ['--kube-apiserver', this.url, '--kube-token', TOKEN, '--kube-insecure-skip-tls-verify'];
  }

  /** Writes a kubeconfig for this server and returns its path. */
  async kubeconfig(): Promise<string> {
    const file = join(this.dir, 'kubeconfig.json');
    const name = 'this';
    const config = {
      clusters: [{ name, cluster: { server: this.url, 'insecure-skip-tls-verify': true } }],
      users: [{ name, user: { token: TOKEN } }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      'current-context': name,
    };
    await writeFile(file, JSON.stringify(config), { mode: 0o600 });
    return file;
  }

  async stop(): Promise<void> {
    for (const process of this.processes.toReversed()) {
      if (process.exitCode !== null) continue;
      process.kill('SIGTERM');
      await once(process, 'exit');
    }
  }

  /** Sends a request and returns the answer, whatever its status. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<{ status: number; text: string }> {
    const options: RequestOptions = {
      method,
      // The certificate of the server is self-signed.
      rejectUnauthorized: false,
      headers: { authorization: `Bearer ${TOKEN}`, ...(body === undefined ? {} : { 'content-type': type }) },
    };
    return new Promise((resolve, reject) => {
      const asking = request(new URL(path, this.url), options, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      });
      asking
        .on('error', reject)
        .end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
    });
  }

  /** Sends a request and returns the parsed 2xx answer; rejects with the answer's text on any other status. */
  async requestOk<T = Resource>(method: string, path: string, body?: unknown, type?: string): Promise<T> {
    const { status, text } = await this.ask(method, path, body, type);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return JSON.parse(text) as T;
  }

  async list(path: string): Promise<Resource[]> {
    return (await this.requestOk<{ items: Resource[] }>('GET', path)).items;
  }

  /** Starts a program that ends with the server and logs to a file of this name. */
  run(name: string, program: string, args: readonly string[]): void {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const log = createWriteStream(join(this.dir, `${name}.log`));
    child.stdout.pipe(log);
    child.stderr.pipe(log);
    this.processes.push(child);
    process.once('exit', () => child.kill('SIGKILL'));
  }
}

/** Definitions of these kinds of custom resources in a folder of a Go module, as file name and YAML. */
export async function definitionsOf(
  module: string,
  folder: string,
  kinds: readonly string[],
): Promise<[file: string, text: string][]> {
  const output = await run('go', ['mod', 'download', '-json', module]);
  const dir = join((JSON.parse(output) as { Dir: string }).Dir, folder);
  const files = (await readdir(dir)).filter((file) => kinds.some((kind) => file.endsWith(`_${kind}.yaml`)));
  return Promise.all(
    files.map(async (file): Promise<[string, string]> => [file, await readFile(join(dir, file), 'utf8')]),
  );
}

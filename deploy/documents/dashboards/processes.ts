import { dashboard } from './dashboard.js';
import { by, now, panel, query, rate } from './queries.js';

/** Dashboard of the service processes. */
export const processes = dashboard('po-processes', 'Purchase orders: processes', [
  {
    title: 'What runs',
    panels: [
      panel(
        'Replicas',
        'short',
        'Up, and ready',
        query(by('job', now('up')), 'up {{job}}'),
        query(by('job', `min by (job, instance) (${now('app_readiness')})`), 'ready {{job}}'),
      ),
      panel(
        'Failing readiness checks',
        'short',
        'Dependencies that replicas wait for',
        query(by('job, check', `1 - ${now('app_readiness')}`), '{{job}} {{check}}'),
      ),
      panel(
        'Versions',
        'short',
        'More than one during a rollout',
        query(by('job, version', now('app_build_info')), '{{job}} {{version}}'),
      ),
      panel(
        'Running for',
        's',
        'Falls to 0 at a restart',
        query(`time() - ${now('process_start_time_seconds')}`, '{{instance}}'),
      ),
    ],
  },
  {
    title: 'What it takes',
    panels: [
      panel(
        'CPU',
        'short',
        'Cores; 1 is a fully used JavaScript thread',
        query(by('job, instance', rate('process_cpu_seconds_total')), '{{instance}}'),
      ),
      panel(
        'Memory',
        'bytes',
        'The limit is 512 MiB by default',
        query(now('process_resident_memory_bytes'), '{{instance}}'),
      ),
      panel('Heap', 'bytes', 'What is used of it', query(now('nodejs_heap_size_used_bytes'), '{{instance}}')),
      panel(
        'Event loop delay, 90 %',
        's',
        'Above 0.1 s the process is overloaded',
        query(now('nodejs_eventloop_lag_p90_seconds'), '{{instance}}'),
      ),
      panel(
        'Event loop delay, maximum',
        's',
        'Since the previous scrape',
        query(now('nodejs_eventloop_lag_max_seconds'), '{{instance}}'),
      ),
      panel(
        'Garbage collection',
        'percentunit',
        'Share of time',
        query(by('job, kind', rate('nodejs_gc_duration_seconds_sum')), '{{job}} {{kind}}'),
      ),
      panel('Open files', 'short', 'Connections among them', query(now('process_open_fds'), '{{instance}}')),
    ],
  },
]);

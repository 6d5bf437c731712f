import { dashboard } from './dashboard.js';
import { sumBy, gauge, panel, query, rate } from './queries.js';

/** Dashboard of the service processes. */
export const processes = dashboard('po-processes', 'Purchase orders: processes', [
  {
    title: 'What runs',
    panels: [
      panel(
        'Replicas',
        'short',
        'Up, and ready',
        query(sumBy('job', gauge('up')), 'up {{job}}'),
        query(sumBy('job', `min by (job, instance) (${gauge('app_readiness')})`), 'ready {{job}}'),
      ),
      panel(
        'Failing readiness checks',
        'short',
        'Dependencies that replicas wait for',
        query(sumBy('job, check', `1 - ${gauge('app_readiness')}`), '{{job}} {{check}}'),
      ),
      panel(
        'Versions',
        'short',
        'More than one during a rollout',
        query(sumBy('job, version', gauge('app_build_info')), '{{job}} {{version}}'),
      ),
      panel(
        'Running for',
        's',
        'Falls to 0 at a restart',
        query(`time() - ${gauge('process_start_time_seconds')}`, '{{instance}}'),
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
        query(sumBy('job, instance', rate('process_cpu_seconds_total')), '{{instance}}'),
      ),
      panel(
        'Memory',
        'bytes',
        'The limit is 512 MiB by default',
        query(gauge('process_resident_memory_bytes'), '{{instance}}'),
      ),
      panel('Heap', 'bytes', 'What is used of it', query(gauge('nodejs_heap_size_used_bytes'), '{{instance}}')),
      panel(
        'Event loop delay, 90 %',
        's',
        'Above 0.1 s the process is overloaded',
        query(gauge('nodejs_eventloop_lag_p90_seconds'), '{{instance}}'),
      ),
      panel(
        'Event loop delay, maximum',
        's',
        'Since the previous scrape',
        query(gauge('nodejs_eventloop_lag_max_seconds'), '{{instance}}'),
      ),
      panel(
        'Garbage collection',
        'percentunit',
        'Share of time',
        query(sumBy('job, kind', rate('nodejs_gc_duration_seconds_sum')), '{{job}} {{kind}}'),
      ),
      panel('Open files', 'short', 'Connections among them', query(gauge('process_open_fds'), '{{instance}}')),
    ],
  },
]);

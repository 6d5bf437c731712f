import { newKey } from '@po/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../../api/api.js';
import { importsOf } from '../../api/imports.js';
import { KEYS } from '../../api/keys.js';
import { acceptanceOf } from '../file/accept.js';
import { readFile } from '../file/read-file.js';
import { hasChanges } from '../file/replies.js';
import type { InputError } from '../file/unreadable.js';
import { type OrderImport, type State, applicablePreview, needsCheck } from './order-import.js';
import { type ChosenFile, type SplitFile, orderImportsOf } from './order-imports.js';
import { type Run, applyAll, checkAll } from './run.js';
import { ranked } from './summary.js';

export type Phase = 'idle' | 'reading' | 'checking' | 'applying';

export interface Chosen extends SplitFile {
  file: ChosenFile;
}

/** Progress of the current run, in orders. */
export interface Progress {
  done: number;
  all: number;
  /** End of the rate-limit wait (epoch milliseconds); null while there is none. */
  waitUntil: number | null;
}

const BEGIN: Progress = { done: 0, all: 0, waitUntil: null };
const IN_PROGRESS: ReadonlySet<State['at']> = new Set<State['at']>(['waiting', 'checking', 'applying']);

/** Reads a file, checks its changes and applies them on request. `wanted`: the only order to import; null imports all orders. */
export function useImport(wanted: string | null) {
  const { client, queries } = useApi();
  const imports = importsOf(client);
  const cache = useQueryClient();
  const [phase, setPhase] = useState<Phase>('idle');
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [refused, setRefused] = useState<{ fault: InputError; name: string } | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [progress, setProgress] = useState(BEGIN);
  const stopper = useRef<AbortController>(undefined);
  const latest = useRef<File>(undefined);
  useEffect(
    () => () => {
      stopper.current?.abort();
      // A file that is still being read is not checked.
      latest.current = undefined;
    },
    [],
  );

  const report = (poRef: string, state: State) => {
    setChosen(
      (now) => now && { ...now, parts: now.parts.map((part) => (part.poRef === poRef ? { ...part, state } : part)) },
    );
    if (!IN_PROGRESS.has(state.at)) setProgress((now) => ({ ...now, done: now.done + 1 }));
  };
  /** Starts a run and aborts the previous one, so that at most one is active. */
  const run = async (next: Phase, all: number, go: (run: Run) => Promise<void>) => {
    stopper.current?.abort();
    const { signal } = (stopper.current = new AbortController());
    const isCurrent = () => stopper.current?.signal === signal;
    setPhase(next);
    setProgress({ ...BEGIN, all });
    const own: Run = {
      report: (poRef, state) => isCurrent() && report(poRef, state),
      onWait: (seconds) =>
        isCurrent() &&
        setProgress((now) => ({ ...now, waitUntil: seconds === null ? null : Date.now() + seconds * 1000 })),
      signal,
    };
    await go(own);
    if (isCurrent()) setPhase('idle');
  };
  const check = async ({ poRef, replies, file }: OrderImport, signal: AbortSignal) => {
    if (replies !== null) {
      // Most orders of an exported list are unedited. Reading them is cheaper than checking them, and also works for locked orders.
      // Offline, the read fails at once like the check, instead of waiting.
      const lines = { ...queries.lines(poRef), staleTime: 0, gcTime: 0, networkMode: 'always' } as const;
      const { version, data } = await cache.fetchQuery(lines);
      if (!hasChanges(replies, data)) return { version, data: { changes: [], errors: [] } };
    }
    return imports.preview(poRef, file(), signal);
  };
  const checkSome = async (parts: readonly OrderImport[]) => {
    await run('checking', parts.length, (own) => checkAll(parts, check, own));
    // The display order stays fixed from here on, so that the user sees the results where the checks were.
    setChosen((now) => now && { ...now, parts: ranked(now.parts) });
  };
  const checkFile = (file: ChosenFile, only: string | null) => {
    const shared = orderImportsOf(file, only, newKey);
    setChosen({ file, ...shared });
    return checkSome(shared.parts.filter(needsCheck));
  };

  const choose = async (files: readonly File[]) => {
    const [file] = files;
    if (!file || phase === 'applying') return;
    const format = acceptanceOf(files);
    setFailure(null);
    setRefused(typeof format === 'string' ? null : { ...format, name: file.name });
    if (typeof format !== 'string') return;
    stopper.current?.abort();
    // Ignores later reports of the aborted run.
    stopper.current = undefined;
    latest.current = file;
    setPhase('reading');
    setChosen(null);
    try {
      // A browser cannot send a file that was saved again after it was chosen, so the content is copied.
      const content = new Blob([await file.arrayBuffer()]);
      const read = await readFile(content, format);
      // A small file can finish reading before a large one that was chosen earlier.
      if (latest.current !== file) return;
      setPhase('idle');
      if ('fault' in read) setRefused({ fault: read.fault, name: file.name });
      else await checkFile({ name: file.name, content, format, sheet: read.sheet }, wanted);
    } catch (error) {
      if (latest.current !== file) return;
      setPhase('idle');
      setFailure(error);
    }
  };

  const apply = async (parts: readonly OrderImport[]) => {
    const wantedParts = parts.filter((part) => applicablePreview(part) !== null);
    const send = (part: OrderImport, version: number) =>
      imports.importLines(part.poRef, version, part.file(), part.key);
    await run('applying', wantedParts.length, (own) => applyAll(wantedParts, { check, apply: send }, own));
    await cache.invalidateQueries({ queryKey: KEYS.lists });
    for (const { poRef } of wantedParts) void cache.invalidateQueries({ queryKey: KEYS.orderAll(poRef) });
  };

  return {
    phase,
    chosen,
    refused,
    failure,
    progress,
    choose,
    checkFile,
    apply,
    recheck: (parts: readonly OrderImport[]) => checkSome(parts.filter(needsCheck)),
    stop: () => stopper.current?.abort(),
    forget: () => {
      setChosen(null);
      setRefused(null);
    },
  };
}

export type ImportUse = ReturnType<typeof useImport>;

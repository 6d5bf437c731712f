import { newKey } from '@po/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../../api/api.js';
import { importsOf } from '../../api/imports.js';
import { KEYS } from '../../api/keys.js';
import { acceptanceOf } from '../file/accept.js';
import { readFile } from '../file/read-file.js';
import { asksForChange } from '../file/replies.js';
import type { InputError } from '../file/unreadable.js';
import { type OrderImport, type State, toApply, toCheck } from './order-import.js';
import { type ChosenFile, type Shared, orderImportsOf } from './order-imports.js';
import { type Run, applyAll, checkAll } from './run.js';
import { ranked } from './summary.js';

export type Phase = 'idle' | 'reading' | 'checking' | 'applying';

export interface Chosen extends Shared {
  file: ChosenFile;
}

/** What is under way, and how far it is. */
export interface Progress {
  done: number;
  all: number;
  /** When it goes on (epoch milliseconds); null while it does. */
  restUntil: number | null;
}

const BEGIN: Progress = { done: 0, all: 0, restUntil: null };
const IN_PROGRESS: ReadonlySet<State['at']> = new Set<State['at']>(['waiting', 'checking', 'applying']);

/** Reads a file, asks what it would change and, when its user wants that, has it changed. `wanted`: the one order that is meant. */
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
  useEffect(() => () => stopper.current?.abort(), []);

  const tell = (poRef: string, state: State) => {
    setChosen(
      (now) => now && { ...now, parts: now.parts.map((part) => (part.poRef === poRef ? { ...part, state } : part)) },
    );
    if (!IN_PROGRESS.has(state.at)) setProgress((now) => ({ ...now, done: now.done + 1 }));
  };
  /** One run at a time; another one ends what was left of it. */
  const run = async (next: Phase, all: number, go: (run: Run) => Promise<void>) => {
    stopper.current?.abort();
    const { signal } = (stopper.current = new AbortController());
    const isCurrent = () => stopper.current?.signal === signal;
    setPhase(next);
    setProgress({ ...BEGIN, all });
    const own: Run = {
      tell: (poRef, state) => isCurrent() && tell(poRef, state),
      rest: (seconds) =>
        setProgress((now) => ({ ...now, restUntil: seconds === null ? null : Date.now() + seconds * 1000 })),
      signal,
    };
    await go(own);
    if (isCurrent()) setPhase('idle');
  };
  const check = async ({ poRef, replies, file }: OrderImport, signal: AbortSignal) => {
    if (replies !== null) {
      // Of a list that was exported few orders were edited. To read the others costs less than to have them checked, and those that
      // are locked are no problem.
      const { version, data } = await cache.fetchQuery({ ...queries.lines(poRef), staleTime: 0, gcTime: 0 });
      if (!asksForChange(replies, data)) return { version, data: { changes: [], errors: [] } };
    }
    return imports.preview(poRef, file(), signal);
  };
  const checkSome = async (parts: readonly OrderImport[]) => {
    await run('checking', parts.length, (own) => checkAll(parts, check, own));
    // They stay where they are from here on: one is to see what becomes of what one looked at.
    setChosen((now) => now && { ...now, parts: ranked(now.parts) });
  };
  const share = (file: ChosenFile, only: string | null) => {
    const shared = orderImportsOf(file, only, newKey);
    setChosen({ file, ...shared });
    return checkSome(shared.parts.filter(toCheck));
  };

  const choose = async (files: readonly File[]) => {
    const [file] = files;
    if (!file || phase === 'applying') return;
    const format = acceptanceOf(files);
    setFailure(null);
    setRefused(typeof format === 'string' ? null : { ...format, name: file.name });
    if (typeof format !== 'string') return;
    stopper.current?.abort();
    // Its run has no more to say.
    stopper.current = undefined;
    latest.current = file;
    setPhase('reading');
    setChosen(null);
    try {
      // A browser cannot send a file that was saved anew after it was chosen.
      const content = new Blob([await file.arrayBuffer()]);
      const read = await readFile(content, format);
      // A small file is read sooner than a large one that was chosen before it.
      if (latest.current !== file) return;
      setPhase('idle');
      if ('fault' in read) setRefused({ fault: read.fault, name: file.name });
      else await share({ name: file.name, content, format, sheet: read.sheet }, wanted);
    } catch (error) {
      if (latest.current !== file) return;
      setPhase('idle');
      setFailure(error);
    }
  };

  const apply = async (parts: readonly OrderImport[]) => {
    const wantedParts = parts.filter((part) => toApply(part) !== null);
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
    share,
    apply,
    recheck: (parts: readonly OrderImport[]) => checkSome(parts.filter(toCheck)),
    stop: () => stopper.current?.abort(),
    forget: () => {
      setChosen(null);
      setRefused(null);
    },
  };
}

export type ImportUse = ReturnType<typeof useImport>;

import { Button, SegmentedControl } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useApi } from '../../api/api.js';
import { Panel } from '../../components/page.js';
import { useFormats, useTexts } from '../../language/language.js';
import { QueryBoundary } from '../../components/query-boundary.js';
import { Message } from '../../components/message.js';
import { TextSkeleton } from '../../components/skeletons.js';
import { Entry } from './entry.js';
import { anchorOf } from '../../components/history-anchor.js';
import { type HistoryEntry, type Kind, kindsIn, ofKind, shownWith } from './entries.js';
import { TIMELINE } from './texts.js';
import classes from './timeline.module.css';

const PAGE = 5;

/** All that happened to an order, newest first; what others do comes by itself. */
export function Timeline({ poRef }: { poRef: string }) {
  const { queries } = useApi();
  const texts = useTexts(TIMELINE);
  const history = useQuery(queries.history(poRef));
  return (
    <Panel title={texts.title}>
      <QueryBoundary query={history} skeleton={<TextSkeleton lines={8} />}>
        {(entries) =>
          entries.length === 0 ? (
            <Message icon={<IconHistory size={20} />} title={texts.empty.title}>
              {texts.empty.text}
            </Message>
          ) : (
            <Entries entries={entries} />
          )
        }
      </QueryBoundary>
    </Panel>
  );
}

function Entries({ entries }: { entries: readonly HistoryEntry[] }) {
  const texts = useTexts(TIMELINE);
  const { quantity } = useFormats();
  const anchor = useLocation({ select: ({ hash }) => hash });
  const [chosen, setChosen] = useState<{ kind: Kind; shown: number; anchor: string }>({
    kind: 'all',
    shown: PAGE,
    anchor: '',
  });
  // Whoever comes from a notification sees its entry, whatever was chosen before.
  const led = anchor !== chosen.anchor && entries.some(({ id }) => anchorOf(id) === anchor);
  const { kind, shown } = led
    ? { kind: 'all' as const, shown: shownWith(entries, anchor, chosen.shown, PAGE) }
    : chosen;
  const choose = (next: { kind: Kind; shown: number }) => setChosen({ ...next, anchor });
  const found = ofKind(entries, kind);
  const kinds = kindsIn(entries);
  useEffect(() => {
    if (!led) return;
    const element = document.getElementById(anchor);
    element?.scrollIntoView({ block: 'center' });
    element?.focus({ preventScroll: true });
  }, [led, anchor]);
  return (
    <>
      {kinds.length > 1 && (
        <SegmentedControl
          className={classes.kinds}
          size="xs"
          fullWidth
          aria-label={texts.kind}
          value={kind}
          onChange={(next) => choose({ kind: next as Kind, shown: PAGE })}
          data={kinds.map((one) => ({ value: one, label: texts.kinds[one] }))}
        />
      )}
      {found.length === 0 && <p className={classes.nothing}>{texts.nothing}</p>}
      <ol className={classes.entries}>
        {found.slice(0, shown).map((entry) => (
          <Entry key={entry.id} entry={entry} isLedTo={anchorOf(entry.id) === anchor} />
        ))}
      </ol>
      {found.length > shown && (
        <Button fullWidth size="sm" variant="default" onClick={() => choose({ kind, shown: shown + PAGE })}>
          {texts.more(quantity(Math.min(PAGE, found.length - shown)))}
        </Button>
      )}
    </>
  );
}

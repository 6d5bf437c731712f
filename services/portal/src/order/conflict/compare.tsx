import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { LongTable } from '../../components/long-table.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { useTexts } from '../../language/language.js';
import { CONFLICT } from './texts.js';
import dialog from '../../theme/dialog.module.css';
import styles from '../../theme/text.module.css';
import table from '../../theme/table.module.css';
import classes from './conflict.module.css';

export interface ChangedField {
  field: string;
  name: string;
  before: ReactNode;
  theirs: ReactNode;
  /** True for a cell of the lines, absent for a header field. */
  isCell?: boolean;
  /** The cell was removed, so the typed value cannot be kept. */
  isGone?: boolean;
  /** The user's unsaved value; absent if the user typed nothing or the same value. */
  mine?: ReactNode;
}

const ID = 'compare';

/** Table of each field's previous value, others' value and the user's value, to choose one of the last two. */
export function Compare(props: {
  fields: readonly ChangedField[];
  settle: (takes: (field: string) => boolean) => void;
  close: () => void;
}) {
  const { fields, settle, close } = props;
  const texts = useTexts(CONFLICT);
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const toChoose = fields.filter(({ mine, isGone }) => mine !== undefined && isGone !== true);
  const choose = (field: string, theirs: boolean) => {
    const next = new Set(taken);
    if (theirs) next.add(field);
    else next.delete(field);
    setTaken(next);
  };
  return (
    <Dialog
      onClose={close}
      title={texts.title}
      size={640}
      closeLabel={texts.cancel}
      id={ID}
      // Keeps the body from describing the dialog: screen readers would read its table as one sentence.
      attributes={{ body: { id: `${ID}-all` } }}
    >
      <p id={`${ID}-body`} className={styles.paragraph}>
        {texts.kept}
      </p>
      {toChoose.length > 1 && (
        <div className={classes.all}>
          <Button size="xs" variant="default" onClick={() => setTaken(new Set(toChoose.map(({ field }) => field)))}>
            {texts.allTheirs}
          </Button>
          <Button size="xs" variant="default" onClick={() => setTaken(new Set())}>
            {texts.allMine}
          </Button>
        </div>
      )}
      <div className={table.frame}>
        <LongTable
          label={texts.title}
          className={classes.compared}
          head={[texts.field, texts.before, texts.theirs, texts.mine].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          rows={fields}
          rowOf={({ field, name, before, theirs, mine, isGone }) => (
            <tr key={field}>
              <th scope="row">{name}</th>
              <td className={styles.quiet}>{before ?? texts.none}</td>
              {mine === undefined || isGone === true ? (
                <>
                  <td>{theirs ?? texts.none}</td>
                  <td className={styles.quiet}>{mine === undefined ? '–' : <s>{mine}</s>}</td>
                </>
              ) : (
                [true, false].map((isTheirs) => (
                  <td key={String(isTheirs)}>
                    <Choice
                      name={texts.choice(name, isTheirs ? texts.theirs : texts.mine)}
                      group={field}
                      chosen={taken.has(field) === isTheirs}
                      choose={() => choose(field, isTheirs)}
                    >
                      {(isTheirs ? theirs : mine) ?? texts.none}
                    </Choice>
                  </td>
                ))
              )}
            </tr>
          )}
        />
      </div>
      <div className={dialog.buttons}>
        <Button variant="default" onClick={close}>
          {texts.cancel}
        </Button>
        <Button
          data-autofocus
          onClick={() => {
            settle((field) => taken.has(field));
            close();
          }}
        >
          {texts.apply}
        </Button>
      </div>
    </Dialog>
  );
}

function Choice(props: { name: string; group: string; chosen: boolean; choose: () => void; children: ReactNode }) {
  const { name, group, chosen, choose, children } = props;
  return (
    <label className={classes.choice} data-chosen={chosen || undefined}>
      <input type="radio" name={group} aria-label={name} checked={chosen} onChange={choose} />
      <span>{children}</span>
    </label>
  );
}

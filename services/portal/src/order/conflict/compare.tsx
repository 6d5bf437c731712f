import { Button, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../../language/language.js';
import '../../theme/mantine-dialog.js';
import type { ChangedField } from './changed-field.js';
import { CONFLICT } from './texts.js';
import table from '../../theme/table.module.css';
import classes from './conflict.module.css';

/** What was, what others made of it and what one typed, field by field, to choose from. */
export function Compare(props: {
  fields: readonly ChangedField[];
  settle: (takes: (field: string) => boolean) => void;
  close: () => void;
}) {
  const { fields, settle, close } = props;
  const texts = useTexts(CONFLICT);
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const choose = (field: string, theirs: boolean) => {
    const next = new Set(taken);
    if (theirs) next.add(field);
    else next.delete(field);
    setTaken(next);
  };
  return (
    <Modal opened onClose={close} title={texts.title} size={640} closeButtonProps={{ 'aria-label': texts.cancel }}>
      <p className={classes.kept}>{texts.kept}</p>
      <div className={table.frame}>
        <table className={`${table.table} ${classes.compared}`}>
          <thead>
            <tr>
              {[texts.field, texts.before, texts.theirs, texts.mine].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {fields.map(({ field, name, before, theirs, mine }) => (
              <tr key={field}>
                <th scope="row">{name}</th>
                <td className={classes.before}>{before ?? texts.none}</td>
                {mine === undefined ? (
                  <>
                    <td>{theirs ?? texts.none}</td>
                    <td className={table.quiet}>–</td>
                  </>
                ) : (
                  [true, false].map((isTheirs) => (
                    <td key={String(isTheirs)}>
                      <Choice
                        name={`${texts.choice(name)}: ${isTheirs ? texts.theirs : texts.mine}`}
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
            ))}
          </tbody>
        </table>
      </div>
      <div className={classes.foot}>
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
    </Modal>
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

import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { IconEqual, IconList } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Button } from '@mantine/core';
import { useApi } from '../../api/api.js';
import type { OrderDetail, OrderLines } from '../../api/schemas.js';
import { Panel } from '../../elements/page.js';
import { useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { Loaded } from '../../states/loaded.js';
import { Message } from '../../states/message.js';
import { TableSkeleton } from '../../states/skeletons.js';
import { MatrixCards } from './matrix-cards.js';
import { MatrixGrid } from './matrix-grid.js';
import { MatrixNotices } from './matrix-notices.js';
import { MatrixStatus } from './matrix-status.js';
import { MatrixTools } from './matrix-tools.js';
import { MATRIX } from './texts.js';
import { useGrid } from './use-grid.js';
import { type MatrixUse, useMatrix } from './use-matrix.js';

/** Where a grid has no room: each line is a card. */
const NARROW = '(max-width: 48em)';
const SKELETON = [90, 60, 40, 40, 40, 40, 40, 50, 50, 80];
const MOST_SKELETONS = 12;

/** What was ordered, what is proposed and what was agreed, line by line; to be typed into by who may. */
export function OrderMatrix({ order }: { order: OrderDetail }) {
  const { queries } = useApi();
  const lines = useQuery(queries.lines(order.poRef));
  const me = useQuery(queries.me());
  const skeleton = <MatrixSkeleton lines={order.lineCount} />;
  return (
    <Loaded query={me} skeleton={skeleton}>
      {({ userId }) => (
        <Loaded query={lines} skeleton={skeleton}>
          {(data) =>
            data.items.length === 0 ? <NoLines /> : <Matrix order={order} lines={data} user={userId} key={userId} />
          }
        </Loaded>
      )}
    </Loaded>
  );
}

function Matrix({ order, lines, user }: { order: OrderDetail; lines: OrderLines; user: string }) {
  const terms = useTexts(TERMS);
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const matrix = useMatrix(order, lines, user);
  const grid = useGrid(matrix);
  const save = () => {
    // Takes what is being typed.
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
    matrix.save();
  };
  useHotkeys([['mod+S', save]], []);
  return (
    <Panel flush title={terms.lines} beside={<MatrixTools {...{ order, matrix, grid, narrow, save }} />}>
      <MatrixNotices matrix={matrix} />
      {matrix.rows.length === 0 ? (
        <NothingDiffers matrix={matrix} />
      ) : narrow ? (
        <MatrixCards order={order} matrix={matrix} />
      ) : (
        <MatrixGrid order={order} matrix={matrix} grid={grid} />
      )}
      {(!narrow || matrix.editable) && <MatrixStatus {...{ matrix, grid, narrow, save }} />}
    </Panel>
  );
}

function NoLines() {
  const texts = useTexts(MATRIX);
  const terms = useTexts(TERMS);
  return (
    <Panel title={terms.lines}>
      <Message icon={<IconList size={20} />} title={texts.none.title}>
        {texts.none.text}
      </Message>
    </Panel>
  );
}

function NothingDiffers({ matrix }: { matrix: MatrixUse }) {
  const texts = useTexts(MATRIX);
  return (
    <Message
      icon={<IconEqual size={20} />}
      title={texts.noChanges.title}
      actions={
        <Button variant="default" onClick={() => matrix.showOnlyChanges(false)}>
          {texts.noChanges.all}
        </Button>
      }
    >
      {texts.noChanges.text}
    </Message>
  );
}

/** As high as what comes, as far as that is known. */
export function MatrixSkeleton({ lines }: { lines: number }) {
  const terms = useTexts(TERMS);
  return (
    <Panel flush title={terms.lines}>
      <TableSkeleton rows={Math.max(1, Math.min(lines, MOST_SKELETONS))} widths={SKELETON} />
    </Panel>
  );
}

import { Tooltip, type TooltipProps } from '@mantine/core';

const EVENTS = { hover: true, focus: true, touch: true };

/** A tooltip that also appears on touch: for marks without visible text, which do nothing else when they are touched. */
export const TouchTooltip = (props: TooltipProps) => <Tooltip events={EVENTS} {...props} />;

import type { FC } from 'hono/jsx';
import { count } from '../render/wording.ts';
import type { CalendarEvent } from './events.ts';
import type { Model } from './model.ts';
import { Mark, Text } from './text.tsx';
import { ACTIONS, actionWord } from './words.ts';
import { LATE_QUARTER, localIn, quarterOf } from './zone.ts';

/** A broadcast in a day of the calendar. */
export const Entry: FC<{ readonly event: CalendarEvent; readonly model: Model }> = ({ event, model }) => {
  const { atMs, name, action, card, accounts, isOld } = event;
  const local = localIn(model.zone, atMs);
  const quarter = quarterOf(local);
  const at = new Date(atMs).toISOString();
  const isChange = card !== null && action !== 'unmanaged';
  const state = isOld ? 'old time' : actionWord(model.title, action);
  const body = (
    <>
      {card === null ? null : <Mark class={action} glyph={isOld ? '→' : ACTIONS[action].glyph} />}
      <time datetime={at}>{local.clock}</time>
      <b>
        <Text text={name} />
      </b>{' '}
      <span class="n">
        <span class="vh">
          {state}, {count(accounts.length, 'account')}
        </span>
        <span aria-hidden="true">{accounts.length}</span>
      </span>
    </>
  );
  return (
    <li
      class={`ev${isOld ? ' ghost' : isChange ? ' new' : ''} q${quarter}${quarter >= LATE_QUARTER ? ' late' : ''}`}
      data-at={at}
    >
      {card === null ? body : <a href={`#${card}`}>{body}</a>}
    </li>
  );
};

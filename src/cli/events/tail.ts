import { page, shown } from '../../domain/visible.ts';
import { compactJson } from '../../render/json.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat } from '../formats.ts';
import { eventView, type EventFilters, type ShownEvent } from './filters.ts';

export interface TailFlags extends EventFilters {
  readonly limit?: number;
}

const LOOK_EVERY_MS = 500;

const INTERRUPTS = { first: 'Stopped.', second: 'Stopped immediately.' };

/** `herald events tail`: prints events as they are stored, until it is interrupted. */
export async function eventsTailCommand(context: Context, flags: TailFlags): Promise<number> {
  const format = chooseFormat(context, ['text', 'ndjson']);
  const { clock, events, output, interrupted } = context;
  const view = await eventView(context, flags);
  let position = await events.end();
  let left = flags.limit ?? Number.POSITIVE_INFINITY;
  await context.protect(async () => {
    while (!interrupted.aborted && left > 0) {
      const news: ShownEvent[] = [];
      position = await events.read(position, (event) => {
        if (view.shows(event)) news.push(view.shownOf(event));
      });
      const printed = news.slice(0, left);
      left -= printed.length;
      for (const event of printed)
        await output.stream(page([format === 'ndjson' ? compactJson(event) : lineOf(event)]));
      if (left > 0) await clock.sleep(LOOK_EVERY_MS, interrupted).catch(() => undefined);
    }
  }, INTERRUPTS);
  return EXIT.done;
}

function lineOf({ received_at, kind, account, account_id, fan_id, ref }: ShownEvent) {
  const who = account ?? account_id ?? '-';
  return shown`${received_at}  ${kind ?? 'unknown'}  ${who}${fan_id === null ? '' : `  fan ${fan_id}`}  ${ref}`;
}

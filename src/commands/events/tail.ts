import { defineCommand } from '../../cli/define-command.ts';
import { type ShownEvent, EVENT_FILTERS, readEventFilters } from '../../cli/events.ts';
import { limitFlag } from '../../cli/flags.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { page, shown } from '../../domain/visible.ts';
import { compactJson } from '../../render/json.ts';

const LOOK_EVERY_MS = 500;

/** Prints events as they are stored. */
export const tail = defineCommand({
  path: 'events tail',
  about: 'print events as they are stored, until you interrupt it',
  examples: ['herald events tail', "herald events tail --kind 'firewall.*' --format ndjson"],
  formats: ['text', 'ndjson'],
  flags: { ...EVENT_FILTERS, limit: limitFlag('stop after this many events') },
  needs: 'nothing',
  run: async (context, given) => {
    const { clock, events, output, interrupted, protect } = context;
    const show = await readEventFilters(context, given);
    const draw = given.format === 'ndjson' ? compactJson : drawLine;
    let left = given.limit ?? Number.POSITIVE_INFINITY;
    const follow = async () => {
      let after = await events.end();
      while (!interrupted.aborted && left > 0) {
        const news: (ShownEvent | null)[] = [];
        after = await events.read((event) => void news.push(show(event)), { after });
        const printed = news.filter((event) => event !== null).slice(0, left);
        left -= printed.length;
        for (const event of printed) await output.stream(page([draw(event)]));
        if (left > 0) await clock.sleep(LOOK_EVERY_MS, interrupted).catch(() => undefined);
      }
    };
    await protect(follow, { first: 'Stopped.', second: 'Stopped immediately.' });
    return EXIT.done;
  },
});

function drawLine({ received_at, kind, account, account_id, fan_id, ref }: ShownEvent) {
  const who = account ?? account_id ?? '-';
  return shown`${received_at}  ${kind ?? 'unknown'}  ${who}${fan_id === null ? '' : `  fan ${fan_id}`}  ${ref}`;
}

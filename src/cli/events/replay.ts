import { shown } from '../../domain/visible.ts';
import { sendEvent } from '../../events/send.ts';
import { renderJson } from '../../render/json.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { eventView, readEvents, type EventFilters } from './filters.ts';

/** `herald events replay URL`: sends stored events to another address, oldest first, with the bodies as they came. */
export async function eventsReplayCommand(
  context: Context,
  url: string,
  filters: EventFilters,
): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw new CommandError('bad-flag', `${url} is not an address.`, 'Write it as https://HOST/PATH.');
  const { events, complete } = await readEvents(context, await eventView(context, filters));
  let accepted = 0;
  let failed = 0;
  await context.protect(async () => {
    for (const event of events) {
      if (context.interrupted.aborted) break;
      context.output.progress(shown`${accepted + failed} of ${events.length} events sent`);
      const status = await sendEvent(url, event);
      if (status !== null && status >= 200 && status < 300) accepted += 1;
      else failed += 1;
    }
  });
  context.output.progress('');
  const item = { events: events.length, accepted, failed, not_sent: events.length - accepted - failed };
  context.output.result(
    format === 'json'
      ? renderJson({ schema: 'herald/item/1', item })
      : shown`${accepted} of ${events.length} events were accepted. ${failed} failed, ${item.not_sent} were not sent.`,
  );
  if (context.interrupted.aborted) return EXIT.interrupted;
  if (failed === 0) return complete ? EXIT.done : EXIT.failed;
  return accepted > 0 ? EXIT.partly : EXIT.failed;
}

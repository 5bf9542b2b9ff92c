import { formatCommand } from '../../domain/command-line.ts';
import { joined, shown, visibleLines } from '../../domain/visible.ts';
import { renderJson } from '../../render/json.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { eventView, readEvents, type ShownEvent } from './filters.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** `herald events show EVENT`: one event with its body as it came. */
export async function eventsShowCommand(context: Context, name: string): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const view = await eventView(context, { account: [], kind: [] });
  const events = await readEvents(context, { ...view, shows: () => true });
  const found = events.filter(({ ref, id }) => ref === name || id === name);
  const [event, ...others] = found;
  if (event === undefined)
    throw new HeraldError(
      'not-found',
      `No stored event has the ref or id ${name}.`,
      `To see them: ${formatCommand('events', 'list')}`,
    );
  if (others.length > 0)
    throw new HeraldError(
      'ambiguous-name',
      `${found.length} events have the id ${name}.`,
      `Use a ref: ${found.map(({ ref }) => ref).join(', ')}.`,
    );
  if (format === 'json') {
    const { ref: _ref, account: _account, ...stored } = event;
    context.output.result(renderJson(stored));
  } else context.output.result(wordsOf(event));
  return EXIT.done;
}

function wordsOf(event: ShownEvent): ReturnType<typeof joined> {
  const { kind, received_at, time, account, account_id, platform_account_id, fan_id, source, id, body } =
    event;
  const facts: readonly (readonly [string, string | null])[] = [
    ['kind', kind ?? 'unknown'],
    ['received', received_at],
    ['time', time],
    ['account', account ?? account_id ?? platform_account_id],
    ['fan', fan_id],
    ['id', id],
    ['source', source],
  ];
  return joined(
    [...facts.map(([name, value]) => shown`${name}: ${value ?? '-'}`), shown``, ...visibleLines(body)],
    '\n',
  );
}

import { defineCommand } from '../../cli/define-command.ts';
import { word } from '../../cli/flags.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { shown, visibleLines } from '../../domain/visible.ts';
import { nameEvent } from '../../events/event.ts';
import { readEvents } from './list.ts';

export const show = defineCommand({
  path: 'events show',
  about: 'show one event with its body as it came',
  examples: ['herald events show 3f2a9c11d0'],
  more: 'EVENT is a ref of herald events list, or an id.',
  words: { name: word('EVENT') },
  needs: 'nothing',
  run: async (context, { name }) => {
    const found = await readEvents(context, (event) => nameEvent(event) === name || event.id === name);
    // An event that came twice with other bodies has one id: the newest is shown.
    const [event] = found;
    if (event === undefined)
      throw new HeraldError(
        'not-found',
        `No stored event has the ref or id ${name}.`,
        `To see them: ${formatCommand('events', 'list')}`,
      );
    const { ref: _ref, account, ...stored } = event;
    const { account_id: accountId, platform_account_id: platformId } = stored;
    const facts = {
      kind: stored.kind,
      received: stored.received_at,
      time: stored.time,
      account: account ?? accountId ?? platformId,
      fan: stored.fan_id,
      id: stored.id,
      source: stored.source,
    };
    return {
      json: () => stored,
      text: () => [
        ...Object.entries(facts).map(([fact, value]) => shown`${fact}: ${value ?? '-'}`),
        shown``,
        ...visibleLines(stored.body),
      ],
    };
  },
});

import { defineCommand, itemResult, listResult } from '../cli/define-command.ts';
import { switchFlag, word } from '../cli/flags.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { shown, visible } from '../domain/visible.ts';

export const trust = defineCommand({
  path: 'trust',
  about: 'trust a service, so that Herald sends it your API key',
  examples: [
    'herald trust https://api.example',
    'herald trust --list',
    'herald trust --remove https://api.example',
  ],
  words: { origin: word('[ORIGIN]', 'left out: all trusted origins are listed') },
  flags: {
    list: switchFlag('--list', 'list the trusted origins'),
    remove: switchFlag('--remove', 'stop trusting the service'),
  },
  needs: 'nothing',
  run: async ({ trusted }, { origin: given, remove }) => {
    const known = await trusted.list();
    if (given === undefined)
      return listResult(
        known.map((origin) => ({ origin })),
        known.length === 0 ? shown`No trusted services.` : known.map(visible),
      );
    if (!URL.canParse(given) || new URL(given).protocol !== 'https:')
      throw new HeraldError(
        'bad-origin',
        `"${visible(given)}" is not an https address.`,
        'Write it as https://api.example.',
      );
    const origin = new URL(given).origin;
    const others = known.filter((one) => one !== origin);
    await trusted.replace(remove ? others : [...others, origin]);
    const removed = known.includes(origin)
      ? shown`Removed ${origin} from the trusted services.`
      : shown`${origin} was not trusted.`;
    const added = shown`${origin} may receive the API key. Saved in ${trusted.path}.`;
    return itemResult({ origin, trusted: !remove }, remove ? removed : added);
  },
});

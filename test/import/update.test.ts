import { expect, it } from 'vitest';
import type { Declared } from '../../src/domain/resource.ts';
import { SERVICE_DEFAULTS } from '../../src/domain/workspace.ts';
import { formsIn } from '../../src/import/resource-file.ts';
import type { Scan } from '../../src/import/scan.ts';
import { findUpdates } from '../../src/import/update.ts';
import { indexFacts } from '../../src/plan/decide/group.ts';
import type { ObjectRow, OpenRequest } from '../../src/state/shapes.ts';
import { fc } from '../helpers/properties.ts';
import { aBroadcast, aCampaign, aLiveCampaign } from '../helpers/resource-builders.ts';
import { anOpenRequest, aRow, factsOf } from '../plan/facts-of.ts';
import { CAMPAIGN_WITH, declaredIn, WORKSPACE } from '../workspace/declare.ts';
import { memoryFiles } from '../workspace/memory-files.ts';

interface Parts {
  readonly open?: readonly OpenRequest[];
  readonly objects?: readonly ObjectRow[];
  readonly live?: readonly ReturnType<typeof aLiveCampaign>[];
}

/** What an update finds about one declared campaign of a file, which a plan would change. */
function update(declared: Declared, file: string, { open = [], objects = [], live = [] }: Parts) {
  const index = indexFacts(factsOf([declared], live, { open, known: { objects } }));
  const subject = { declared: [declared], workspace: { service: SERVICE_DEFAULTS } };
  const plan = { changes: [{ action: 'blocked', address: declared.address, steps: [] }] };
  const files = memoryFiles({ [declared.source.file]: file });
  return findUpdates(files, { index, subject, plan } as unknown as Scan);
}

/** The text that replaces a written one, where the live campaign says `live`. */
async function updateText(written: string, live: string, vars = 'first: Ann, full: Ann Lee') {
  const workspace = WORKSPACE.replace('first_name: Alice', vars);
  const load = async (text: string) => {
    const file = CAMPAIGN_WITH.message(`text: ${JSON.stringify(text)}`);
    const [declared] = await declaredIn({ 'herald.yaml': workspace, 'campaigns/a.yaml': file });
    if (declared === undefined) throw new Error('nothing is declared');
    return { file, declared };
  };
  const { file, declared } = await load(written);
  const object = aLiveCampaign({ name: 'Hello', messages: [{ step: 0, text: live }] });
  const { entries } = await update(declared, file, { live: [object] });
  const text = formsIn(entries[0]?.form['messages'])[0]?.['text'] as string;
  return { text, filledIn: (await load(text)).declared.content.messages };
}

it('puts the variables of a text back, the longest value first', async () => {
  expect(await updateText('{{first}} and {{ full }}', 'Hi Ann Lee, dear Ann')).toMatchObject({
    text: 'Hi {{full}}, dear {{first}}',
  });
  expect(await updateText('Hi', 'Hi Ann')).toMatchObject({ text: 'Hi Ann' });
});

it.each([
  ['Only 10 dollars. 10 years online, since 2010!', 'Only 10 dollars. 10 years online, since 2010!'],
  ['Now 10 dollars, since 2010', 'Now {{price}} dollars, since 2010'],
])('puts a variable back only where it is clear that the file had it: %s', async (live, text) => {
  expect(await updateText('Only {{price}} dollars', live, 'price: "10"')).toMatchObject({ text });
});

it('fills in to the live text again, whatever braces it has', async () => {
  const piece = fc.constantFrom('Ann', 'Ann Lee', ' ', '\\', '{', '{{', '}}', 'x');
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (parts) => {
      const live = `Hi ${parts.join('')}`;
      const { filledIn } = await updateText('{{first}} {{full}}', live);
      expect(filledIn).toEqual([{ text: live }]);
    }),
  );
});

const stopped = aLiveCampaign({ id: '1', name: 'Welcome', status: 'paused' });
const newer = aLiveCampaign({ id: '2', name: 'Welcome', status: 'paused' });
const declared = aCampaign({ renamedFrom: 'Former' });
const owed = { status_set: 'paused', status_why: 'replace' };

const aPause = (name: string, id: string) =>
  anOpenRequest(aCampaign({ name }), { live_id: id, target: 'paused', operation: 'campaigns.set-status' });

const aRecall = anOpenRequest(declared, { live_id: '1', operation: 'campaigns.unsend' });

const UNFINISHED = /herald (?:apply|state close)/;
const FINISHED = /^$/;
const AMBIGUOUS = /^2 with the same name can be declared too. .* 1 with the same name can be declared too. /;
const older = { objects: [aRow(stopped, owed), aRow(newer)], live: [stopped, newer] };

it.each<[string, Parts, RegExp]>([
  ['a create of its name', { open: [anOpenRequest(declared)] }, UNFINISHED],
  ['a create of its former name', { open: [anOpenRequest(aCampaign({ name: 'Former' }))] }, UNFINISHED],
  ['a pause of its object under another name', { open: [aPause('Other', '1')] }, UNFINISHED],
  ['a recall of its object', { open: [aRecall] }, UNFINISHED],
  ['a pause for a replace', { objects: [aRow(stopped, owed)] }, UNFINISHED],
  ['nothing', {}, FINISHED],
  ['an answered pause of its object', { open: [{ ...aPause('Other', '1'), outcome: 'done' }] }, FINISHED],
  ['a request about another resource', { open: [aPause('Other', '2')] }, FINISHED],
  ['a request of another kind', { open: [anOpenRequest(aBroadcast({ name: 'Welcome' }))] }, FINISHED],
  ['a request of another account', { open: [anOpenRequest(aCampaign({ account: 'bob' }))] }, FINISHED],
  ['a replace that is complete', { objects: [aRow(stopped, { ...owed, replaced_by: '2' })] }, FINISHED],
  ['a pause for a replace of an older version', older, AMBIGUOUS],
])('next to %s, the reasons to keep a stopped resource as it is written are %s', async (_, parts, why) => {
  const file = CAMPAIGN_WITH.name('Welcome');
  const { leftOut } = await update(declared, file, { live: [stopped], ...parts });
  expect(leftOut.map(({ reason }) => reason).join(' ')).toMatch(why);
});

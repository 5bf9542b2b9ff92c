import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { documentOf, planned } from '../helpers/flows.ts';
import { planShape } from '../../src/domain/change.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const PARAGRAPH = Array.from({ length: 60 }, (_, index) => `Sentence ${index} is new.`).join(' ');
const LETTER = Array.from({ length: 60 }, (_, index) => `Line ${index} is new.`);

/** A campaign is live, and the files add a message to it. */
async function addingAMessage(): Promise<Scene> {
  const first = { text: 'Hello there' };
  const added = {
    text: [PARAGRAPH, ...LETTER].join('\n'),
    price_gross: 24.99,
    text_is_paid: true,
    delay_sec: 3600,
    attachments: [{ id: '55012', type: 'image', is_paid: true }],
  };
  const scene = aScene({ files: declaring({ campaigns: [campaign({ messages: [first] })] }) });
  await scene.herald('apply', '--yes');
  Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ messages: [first, added] })] }));
  return scene;
}

describe('a message that is added to a live campaign', () => {
  it.each(['text', 'markdown'])(
    'is whole in the %s of a plan, with all that it costs and shows',
    async (format) => {
      const scene = await addingAMessage();
      // The lines of a text are broken to the width: the words are there, in their order.
      const words = (await scene.herald('plan', '--format', format)).stdout.replaceAll(
        /\s[+-]?\s*(?:\(none\) → )?/g,
        ' ',
      );
      expect(words).toContain(PARAGRAPH);
      for (const line of LETTER) expect(words).toContain(line);
      expect(words).toContain('messages[1].price_gross: $24.99');
      expect(words).toContain('messages[1].delay_sec: 1 h');
      expect(words).toContain('messages[1].attachments: 55012 image (paid)');
      expect(words).toContain('messages[1].text_is_paid: true');
    },
  );

  it('is whole in JSON', async () => {
    const { plan } = await planned(await addingAMessage());
    const shown = Object.fromEntries(
      plan.changes.flatMap(({ fields }) => fields.map((field) => [field.path, field.new])),
    );
    expect(shown).toEqual({
      'messages.length': 2,
      'messages[1].text': [PARAGRAPH, ...LETTER].join('\n'),
      'messages[1].price_gross': 24.99,
      'messages[1].delay_sec': 3600,
      'messages[1].attachments': '55012 image (paid)',
      'messages[1].text_is_paid': true,
    });
  });
});

describe('the service', () => {
  const FIRST = 'Service: simulator .herald/world.json\n';

  it('is named by every plan and drift, in every format', async () => {
    const scene = await addingAMessage();
    expect((await scene.herald('plan')).stdout).toMatch(new RegExp(`^${FIRST}`));
    expect((await scene.herald('drift')).stdout).toMatch(new RegExp(`^${FIRST}`));
    expect((await scene.herald('apply')).stderr).toMatch(new RegExp(`^${FIRST}`));
    expect((await scene.herald('plan', '--format', 'markdown')).stdout).toContain(`\n${FIRST}`);
    const service = { origin: 'simulator:.herald/world.json', source: 'herald.yaml', simulator: true };
    expect((await planned(scene)).plan.service).toEqual(service);
    const drift = await scene.herald('drift', '--format', 'json');
    expect(documentOf(drift, planShape).service).toEqual(service);
  });

  it('is named by a change by hand, and by its question', async () => {
    const scene = await addingAMessage();
    const questions: string[] = [];
    scene.answer = (question) => questions.push(question) < 1;
    const [live] = (await planned(scene)).plan.changes;
    const ran = await scene.herald('campaigns', 'pause', live?.live_id ?? '', '--account', 'alice');
    expect(ran.stderr).toContain(FIRST);
    expect(questions[0]).toMatch(/^Pause .* on account alice at simulator \.herald\/world\.json\?/);
  });
});

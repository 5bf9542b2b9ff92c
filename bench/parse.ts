import { parse } from 'yaml';
import type { Files } from '../src/domain/ports.ts';
import { loadDeclared } from '../src/files/load.ts';
import { comparePair, type Comparison } from './pairs.ts';

const FILES = 200;
const CAMPAIGNS_PER_FILE = 10;

/** Loading and validating many files against parsing the same texts with bare `yaml`. */
export async function benchParse(): Promise<readonly Comparison[]> {
  const texts = new Map<string, string>([['herald.yaml', WORKSPACE]]);
  for (let file = 0; file < FILES; file += 1)
    texts.set(`campaigns/${String(file).padStart(4, '0')}.yaml`, resourceFile(file));
  const files = inMemory(texts);
  const bytes = [...texts.values()].reduce((sum, text) => sum + text.length, 0);
  return [
    await comparePair({
      name: 'load and validate',
      reference: 'bare yaml parse',
      budget: 1.3,
      note: `${(bytes / 1e6).toFixed(1)} MB, ${FILES * CAMPAIGNS_PER_FILE} campaigns`,
      ours: async () => {
        const loaded = await loadDeclared(files, { env: {} });
        if (loaded.kind === 'invalid') throw new Error(loaded.diagnostics[0]?.message);
      },
      theirs: () => {
        for (const text of texts.values()) parse(text);
      },
    }),
  ];
}

const WORKSPACE = `version: 1
service: { simulator: world.json }
accounts: { alice: { id: "101", vars: { first_name: Alice } } }
`;

function resourceFile(file: number): string {
  const campaigns = Array.from({ length: CAMPAIGNS_PER_FILE }, (_, index) =>
    campaign(file * CAMPAIGNS_PER_FILE + index),
  );
  return `accounts: [alice]\ncampaigns:\n${campaigns.join('')}`;
}

function campaign(number: number): string {
  return `  - name: Campaign ${number}
    trigger: welcome_message
    action: send_message
    rules: { send_delay_interval: { min_sec: 30, range_sec: 60 }, unsend_delay_sec: 86400 }
    audience: everyone
    messages:
      - text: "Hey, it is {{first_name}}! This is message ${number}, and it goes on for a while so that it is as long as a real one."
      - text: |
          Another one, over
          several lines, because
          people write so.
        price_gross: 9.99
        delay_sec: 3600
        attachments: [{ id: "55${number}", type: image, is_paid: true }]
`;
}

function inMemory(texts: ReadonlyMap<string, string>): Files {
  const missing = (): never => {
    throw new Error('the bench only reads');
  };
  return {
    readText: async (path) => texts.get(path) ?? missing(),
    glob: async () => [...texts.keys()].filter((path) => path !== 'herald.yaml'),
    exists: async (path) => texts.has(path),
    writeAtomically: async () => missing(),
    openForAppend: async () => missing(),
    lock: async () => missing(),
    lockHolder: async () => null,
  };
}

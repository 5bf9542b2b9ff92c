import { LIST_NAMES, LIST_COMMANDS, type ListName } from '../../../src/api/lists.ts';
import type { Scene } from '../../helpers/scene.ts';
import { declaring, broadcast, campaign } from '../../helpers/declare-live.ts';
import { HELLO, uploaded } from '../../helpers/uploads.ts';

/** A command line that makes one call, and brings the service to where the call succeeds. */
export interface CallExample {
  /** `ID` is what `prepare` returns. */
  readonly args: string;
  /** Returns the id of the object that the command is about. */
  readonly prepare?: (scene: Scene) => Promise<string | void>;
}

const FAN = 'https://www.platform.example/u101001';

const aLiveCampaign = (scene: Scene) => scene.service((control) => control.seedCampaign('101').id);
const aLiveBroadcast = (scene: Scene) =>
  scene.service((control) => control.seedBroadcast('101', { scheduled_at: '2026-06-01T18:00:00Z' }).id);

async function aFile({ bytes }: Scene): Promise<void> {
  bytes.blobs['hello.jpg'] = HELLO;
}

const UPLOAD: CallExample = { args: `vault upload hello.jpg --account alice`, prepare: aFile };

/** The least that each list needs next to its name, and how many rows it then has for account 101. */
export const LIST_CASES: Readonly<Record<ListName, readonly [args: readonly string[], rows: number]>> = {
  'accounts list': [[], 4],
  'traffic subscriptions': [['--from', '60d'], 40],
  'traffic tracking-links': [['--from', '60d'], 12],
  'traffic tracking-link-users': [[], 30],
  'traffic trial-links': [['--from', '60d'], 11],
  'traffic trial-link-users': [['--from', '61d'], 30],
  'revenue transactions': [['--from', '60d'], 1100],
  'revenue chargebacks': [['--from', '60d'], 14],
  'team metrics': [[], 12],
  'team members': [[], 12],
  'fans list': [[], 5],
  'chat messages': [['101001'], 230],
  'payouts balances': [[], 1],
  'payouts list': [[], 1],
  'campaigns list': [[], 1],
  'broadcasts list': [[], 1],
  'vault folders': [[], 3],
  'vault media': [['77'], 23],
  'vault uploads': [[], 1],
};

/** The words of a list, of alice's account if it is one of an account. */
export function writeListCommand(name: ListName): readonly string[] {
  const account = LIST_COMMANDS[name].who === 'organisation' ? [] : ['--account', 'alice'];
  return [...name.split(' '), ...LIST_CASES[name][0], ...account];
}

/** By operation of the catalogue. */
export const CALL_EXAMPLES: Readonly<Record<string, CallExample>> = {
  ...Object.fromEntries(
    LIST_NAMES.map((name) => [LIST_COMMANDS[name].operation, { args: writeListCommand(name).join(' ') }]),
  ),
  'accounts.get': { args: 'accounts get alice' },
  'chat.send': { args: 'chat send 101001 --account alice --text Hi --yes' },
  'fans.label': { args: 'fans label 101001 --account alice --name Tom --yes' },
  'fans.follow': { args: 'fans follow 101001 --account alice --yes' },
  'payouts.request': { args: 'payouts request --account alice --amount 20 --yes' },
  'vault.media': {
    args: 'vault media 12 --account alice',
    prepare: (scene) =>
      scene.service((control) => {
        control.seed({ account_id: '101', kind: 'vault_folder', set: { id: '12', photos: 1 } });
      }),
  },
  'vault.thumbnail': {
    args: 'vault thumbnail ID --account alice --out thumbnail.jpg',
    prepare: async (scene) => {
      await aFile(scene);
      return (await uploaded(scene)).item.media_id ?? '';
    },
  },
  'vault.verify-fan': { args: `vault verify-fan ${FAN} --account alice` },
  'vault.upload-start': UPLOAD,
  'vault.upload-finish': UPLOAD,
  'vault.upload-export': UPLOAD,
  'vault.upload-retry': {
    args: 'vault retry ID --account alice',
    prepare: (scene) =>
      scene.service((control, world) => {
        control.seed({ account_id: '101', kind: 'vault_upload', set: { status: 'uploaded' } });
        return world.accounts['101']?.vault.records[0]?.id ?? '';
      }),
  },
  'campaigns.create': {
    args: 'apply --yes',
    prepare: async ({ files }) => void Object.assign(files.tree, declaring({ campaigns: [campaign()] })),
  },
  'campaigns.get': { args: 'campaigns get ID --account alice', prepare: aLiveCampaign },
  'campaigns.set-status': { args: 'campaigns pause ID --account alice --yes', prepare: aLiveCampaign },
  'campaigns.unsend': { args: 'campaigns recall ID --account alice --yes', prepare: aLiveCampaign },
  'broadcasts.create': {
    args: 'apply --yes',
    prepare: async ({ files }) => void Object.assign(files.tree, declaring({ broadcasts: [broadcast()] })),
  },
  'broadcasts.get': { args: 'broadcasts get ID --account alice', prepare: aLiveBroadcast },
  'broadcasts.set-status': { args: 'broadcasts pause ID --account alice --yes', prepare: aLiveBroadcast },
  'broadcasts.unsend': { args: 'broadcasts recall ID --account alice --yes', prepare: aLiveBroadcast },
};

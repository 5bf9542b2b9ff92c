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

const RANGE = '--account alice --from 2026-05-01 --to 2026-05-02';
const FAN = 'https://www.platform.example/u101001';

const aLiveCampaign = (scene: Scene) => scene.service((control) => control.seedCampaign('101').id);
const aLiveBroadcast = (scene: Scene) =>
  scene.service((control) => control.seedBroadcast('101', { scheduled_at: '2026-06-01T18:00:00Z' }).id);

async function aFile({ bytes }: Scene): Promise<void> {
  bytes.blobs['hello.jpg'] = HELLO;
}

const UPLOAD: CallExample = { args: `vault upload hello.jpg --account alice`, prepare: aFile };

/** By operation of the catalogue. */
export const CALL_EXAMPLES: Readonly<Record<string, CallExample>> = {
  'accounts.list': { args: 'accounts list' },
  'accounts.get': { args: 'accounts get alice' },
  'traffic.subscriptions': { args: `traffic subscriptions ${RANGE}` },
  'traffic.tracking-links': { args: `traffic tracking-links ${RANGE}` },
  'traffic.tracking-link-users': { args: `traffic tracking-link-users ${RANGE}` },
  'traffic.trial-links': { args: `traffic trial-links ${RANGE}` },
  'traffic.trial-link-users': { args: `traffic trial-link-users ${RANGE}` },
  'revenue.chargebacks': { args: `revenue chargebacks ${RANGE}` },
  'revenue.transactions': { args: `revenue transactions ${RANGE}` },
  'team.metrics': { args: 'team metrics --from 2026-05-01 --to 2026-05-02' },
  'team.members': { args: 'team members' },
  'fans.list': { args: 'fans list --account alice' },
  'chat.messages': { args: 'chat messages 101001 --account alice' },
  'chat.send': { args: 'chat send 101001 --account alice --text Hi --yes' },
  'fans.label': { args: 'fans label 101001 --account alice --name Tom --yes' },
  'fans.follow': { args: 'fans follow 101001 --account alice --yes' },
  'payouts.balances': { args: 'payouts balances --account alice' },
  'payouts.list': { args: 'payouts list --account alice' },
  'payouts.request': { args: 'payouts request --account alice --amount 20 --yes' },
  'vault.folders': { args: 'vault folders --account alice' },
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
  'vault.uploads': { args: 'vault uploads --account alice' },
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
  'campaigns.list': { args: 'campaigns list --account alice' },
  'campaigns.create': {
    args: 'apply --yes',
    prepare: async ({ files }) => void Object.assign(files.tree, declaring({ campaigns: [campaign()] })),
  },
  'campaigns.get': { args: 'campaigns get ID --account alice', prepare: aLiveCampaign },
  'campaigns.set-status': { args: 'campaigns pause ID --account alice --yes', prepare: aLiveCampaign },
  'campaigns.unsend': { args: 'campaigns recall ID --account alice --yes', prepare: aLiveCampaign },
  'broadcasts.list': { args: 'broadcasts list --account alice' },
  'broadcasts.create': {
    args: 'apply --yes',
    prepare: async ({ files }) => void Object.assign(files.tree, declaring({ broadcasts: [broadcast()] })),
  },
  'broadcasts.get': { args: 'broadcasts get ID --account alice', prepare: aLiveBroadcast },
  'broadcasts.set-status': { args: 'broadcasts pause ID --account alice --yes', prepare: aLiveBroadcast },
  'broadcasts.unsend': { args: 'broadcasts recall ID --account alice --yes', prepare: aLiveBroadcast },
};

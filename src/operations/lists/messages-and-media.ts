import type { ListColumn } from '../../domain/list-column.ts';
import type { ListDefinition } from './definition.ts';

const CREATED: ListColumn = { path: 'created_at', header: 'created', as: 'instant' };

function flag(path: string, header = path): ListColumn {
  return { path, header, as: 'flag' };
}

function count(path: string, header: string): ListColumn {
  return { path, header, as: 'number' };
}

/**
 * The heading names the counted messages (CONTENT-25). A sequence can show more replies than sends. Its rate is null
 * then, and is not computed here.
 */
function statsOf(member: string, repliesOf: 'first message' | 'all messages') {
  const figure = (name: string, header: string, as: 'number' | 'money' = 'number'): ListColumn => ({
    path: `${member}.${name}`,
    header,
    as,
    figure: true,
  });
  return {
    sent: figure('sent_messages_count', 'sent (first message)'),
    unsent: figure('unsent_messages_count', 'unsent (first message)'),
    replied: figure('replied_messages_count', `replies (${repliesOf})`),
    purchased: figure('purchased_messages_count', 'purchases (first message)'),
    earned: figure('purchased_amount_gross', 'purchased (gross, first message)', 'money'),
    replyRate: figure('reply_rate', 'reply rate'),
    purchaseRate: figure('purchase_rate', 'purchase rate'),
  };
}

const CAMPAIGN_STATS = statsOf('first_message_stats', 'first message');
const BROADCAST_STATS = statsOf('stats', 'all messages');

const COMMON_RESOURCE: readonly ListColumn[] = [
  { path: 'messages' },
  { path: 'account_id', as: 'whole' },
  { path: 'created_by.type' },
  { path: 'created_by.id', as: 'whole' },
  { path: 'rules' },
];

const VAULT_MEDIA_FLAGS: readonly ListColumn[] = [
  flag('is_ready', 'ready'),
  flag('has_error', 'error'),
  flag('can_view', 'can view'),
];

/** Chat and fans, campaigns, broadcasts and the vault. */
export const MESSAGE_AND_MEDIA_LISTS = {
  'fans list': {
    operation: 'fans.list',
    summary: 'list the fans with recent chat activity',
    rows: 'fans',
    who: 'account',
    filters: [],
    columns: [{ path: 'fan_id', header: 'fan', as: 'whole' }],
    more: [],
    bareItem: 'fan_id',
    examples: ['herald fans list --account alice --format ndjson'],
  },
  'chat messages': {
    operation: 'chat.messages',
    summary: 'show the messages of a chat',
    rows: 'messages',
    who: 'account',
    argument: { name: 'CHAT', param: 'chat_id', addressWord: 'chat' },
    filters: ['order'],
    columns: [
      { path: 'id', as: 'whole' },
      CREATED,
      flag('is_sent_by_me', 'sent by us'),
      { path: 'from_user', header: 'from', as: 'whole' },
      { path: 'text', none: '' },
      { path: 'price', as: 'money' },
      count('media_count', 'media'),
      flag('is_opened', 'opened'),
    ],
    more: [
      flag('is_new'),
      flag('is_free'),
      flag('can_purchase'),
      { path: 'can_purchase_reason' },
      { path: 'sender.type' },
      { path: 'sender.user_id', as: 'whole' },
      { path: 'media' },
    ],
    examples: [
      'herald chat messages 9001 --account alice --limit 20',
      'herald chat messages 9001 --order asc',
    ],
  },
  'campaigns list': {
    operation: 'campaigns.list',
    summary: 'list Auto Messages campaigns',
    rows: 'campaigns',
    who: 'account',
    filters: ['archived'],
    columns: [
      { path: 'id', as: 'whole' },
      { path: 'name', none: 'unnamed' },
      { path: 'status', as: 'whole', none: 'unnamed' },
      { path: 'trigger', none: 'unnamed' },
      { path: 'action', none: 'unnamed', wide: true },
      { path: 'messages.length', header: 'messages', as: 'number' },
      { path: 'audience_filters', header: 'audience', as: 'audience' },
      // A fan targeted twice counts twice (CONTENT-26), so these are not numbers of fans.
      { ...count('targeted_sends_count', 'targeted sends'), wide: true },
      CAMPAIGN_STATS.sent,
      CAMPAIGN_STATS.replied,
      { ...CAMPAIGN_STATS.replyRate, wide: true },
    ],
    more: [
      CREATED,
      CAMPAIGN_STATS.unsent,
      CAMPAIGN_STATS.purchased,
      CAMPAIGN_STATS.earned,
      CAMPAIGN_STATS.purchaseRate,
      { path: 'follow_up_message_stats' },
      ...COMMON_RESOURCE,
    ],
    examples: [
      'herald campaigns list',
      'herald campaigns list --account alice --archived --columns id,name,status,created_at',
    ],
  },
  'broadcasts list': {
    operation: 'broadcasts.list',
    summary: 'list Priority Mass Messages broadcasts, newest first',
    rows: 'broadcasts',
    who: 'account',
    filters: ['archived'],
    filledWhenReadable: 'messages',
    columns: [
      { path: 'id', as: 'whole' },
      { path: 'name', none: 'unnamed' },
      { path: 'status', as: 'whole', none: 'unnamed' },
      { path: 'pause_reason', header: 'paused for', none: '-' },
      { path: 'scheduled_at', header: 'scheduled', as: 'instant', none: '-' },
      { path: 'messages.length', header: 'messages', as: 'number', figure: true },
      { path: 'audience_filters', header: 'audience', as: 'audience', figure: true },
      {
        path: 'targeted_recipients_count',
        header: 'recipients',
        as: 'number',
        zero: 'not prepared',
        figure: true,
      },
      { path: 'progress_percent', header: 'progress (%)', as: 'number', figure: true, wide: true },
      BROADCAST_STATS.sent,
      BROADCAST_STATS.replied,
      { ...BROADCAST_STATS.replyRate, wide: true },
    ],
    more: [
      CREATED,
      { path: 'scheduled_at_timezone', none: '-' },
      BROADCAST_STATS.unsent,
      BROADCAST_STATS.purchased,
      BROADCAST_STATS.earned,
      BROADCAST_STATS.purchaseRate,
      ...COMMON_RESOURCE,
    ],
    examples: ['herald broadcasts list --account alice', 'herald broadcasts list --archived'],
  },
  'vault folders': {
    operation: 'vault.folders',
    summary: 'list the folders of the vault',
    rows: 'folders',
    who: 'account',
    filters: [],
    columns: [
      { path: 'id', as: 'whole' },
      { path: 'name' },
      { path: 'type' },
      count('photos_count', 'photos'),
      count('videos_count', 'videos'),
      count('gifs_count', 'gifs'),
      count('audios_count', 'audios'),
    ],
    more: [flag('has_media'), flag('can_update'), flag('can_delete')],
    examples: ['herald vault folders --account alice'],
  },
  'vault media': {
    operation: 'vault.media',
    summary: 'list the media of a folder of the vault',
    rows: 'media',
    who: 'account',
    argument: { name: 'FOLDER', param: 'folder_id' },
    filters: ['type'],
    columns: [{ path: 'id', as: 'whole' }, { path: 'type' }, ...VAULT_MEDIA_FLAGS, CREATED],
    more: [flag('converted_to_video'), { path: 'thumbnail_url' }],
    examples: ['herald vault media 12 --account alice', 'herald vault media 12 --account alice --type photo'],
  },
  'vault uploads': {
    operation: 'vault.uploads',
    summary: 'list uploads into the vault',
    rows: 'uploads',
    who: 'account',
    filters: ['expiredUploads'],
    columns: [
      { path: 'id', as: 'whole' },
      { path: 'status', as: 'whole', none: 'unnamed' },
      { path: 'metadata.name', header: 'name' },
      count('metadata.size', 'size (bytes)'),
      { path: 'metadata.content_type', header: 'type' },
      { path: 'media_id', header: 'media', as: 'whole', none: '-' },
      CREATED,
      { path: 'updated_at', header: 'updated', as: 'instant' },
    ],
    more: [
      count('metadata.duration', 'duration'),
      { path: 'metadata.export_type' },
      { path: 'metadata.export_fan_id', as: 'whole' },
      { path: 'metadata.key' },
      { path: 'metadata.e_tag' },
      { path: 'metadata.get_url' },
      { path: 'metadata.rf_guest' },
      { path: 'metadata.rf_partner' },
      { path: 'metadata.rf_tag' },
    ],
    secretUrls: ['metadata.get_url', 'metadata.put_url'],
    one: 'upload',
    examples: ['herald vault uploads --account alice --expired'],
  },
} as const satisfies Readonly<Record<string, ListDefinition>>;

/**
 * What the service's document says about each call, and where Herald shows it. The test next to this table checks it against
 * the catalogue, the commands' options and the columns. A new parameter or field goes here first.
 */
export interface DocumentedCall {
  /** The words of the command. */
  readonly command: string;
  /** Documented parameters of path, query and body, and the option or argument that sets each; `the command` if its
   * name says it, or a field of a file. */
  readonly params: Readonly<Record<string, string>>;
  /** Documented parameters that a file of the workspace sets, too, and the key of an attachment for each. */
  readonly asCode?: Readonly<Record<string, string>>;
  /** Documented fields of an item, as paths of its columns. Missing where the answer has none. */
  readonly fields?: readonly string[];
  /** Documented members next to the items, in `pages` of JSON, or used to read on. */
  readonly nextToItems?: readonly string[];
}

/** Set by Herald itself, from the pages that it reads. */
const PAGES = { limit: '--limit', cursor: '--cursor' };
const OFFSETS = { limit: '--limit', offset: '--offset' };
const ACCOUNT = { account_id: '--account' };
const PLATFORM = { platform: '--account', platform_account_id: '--account' };
const RANGE = { start: '--from', end: '--to' };
const COLLECTED = { collected_from: '--from', collected_to: '--to', link_id: '--link-id' };
const FAN_OF_LINK = ['link_id', 'fan.id', 'fan.name', 'fan.username', 'subscribed_at', 'collected_at'];
const OBJECT = { ...ACCOUNT, campaign_id: '<ID|ADDRESS>' };
const STOPPED = { ...ACCOUNT, campaign_id: '[ID|ADDRESS...]' };
/** What start and export take alike, and the keys of an attachment for it. */
const UPLOADED = {
  ...ACCOUNT,
  name: '--name',
  size: '<FILE...>',
  content_type: '--content-type',
  duration: '--duration',
};
const UPLOADED_AS_CODE = { name: 'name', size: 'file', content_type: 'content_type', duration: 'duration' };

const words = (text: string) => text.split(' ');
/** Members of a member. */
const within = (member: string, names: string) => words(names).map((name) => `${member}.${name}`);
const STATS =
  'sent_messages_count unsent_messages_count replied_messages_count purchased_messages_count purchased_amount_gross reply_rate purchase_rate';
const METADATA =
  'name size content_type duration key e_tag get_url export_type export_fan_id rf_guest rf_partner rf_tag';
/** Keys of a resource in a file. */
const ofFile = (kind: string, names: string) =>
  Object.fromEntries(words(names).map((name) => [name, `${kind}.${name}`]));

const METRICS =
  `fans_count messages_count template_messages_count ai_generated_messages_count copied_messages_count
  media_messages_count paid_messages_count free_media_messages_count typed_messages_count unsent_messages_count posts_count
  deleted_posts_count sold_messages_count total_sold_messages_count sold_posts_count total_sold_posts_count
  chargedback_posts_count chargedback_messages_count total_chargedback_posts_count total_chargedback_messages_count
  internal_templates_count words_count_sum paid_messages_price_sum purchase_interval_avg purchase_interval_min
  purchase_interval_max reply_time_avg work_time break_time sold_messages_price_sum total_sold_messages_price_sum
  sold_posts_price_sum tips_amount_sum total_tips_amount_sum chargedback_tips_amount_sum chargedback_posts_price_sum
  chargedback_messages_price_sum total_chargedback_tips_amount_sum total_chargedback_posts_price_sum
  total_chargedback_messages_price_sum`.split(/\s+/);

/** A list of a platform's account, read by its cursor. */
function byCursor(
  command: string,
  range: DocumentedCall['params'],
  fields: readonly string[],
): DocumentedCall {
  return { command, params: { ...PLATFORM, ...range, ...PAGES }, fields, nextToItems: ['cursor'] };
}

/** By operation of the catalogue. */
export const DOCUMENTED: Readonly<Record<string, DocumentedCall>> = {
  'accounts.list': {
    command: 'accounts list',
    params: { ...PAGES, withExpiredSubscriptions: '--expired' },
    fields: words(
      'id platform_account_id platform name email avatar username organisation_id subscribe_price subscription_expiration_date custom_label',
    ),
    nextToItems: ['nextCursor'],
  },
  'accounts.get': { command: 'accounts get', params: { account_id: '<ACCOUNT>' } },
  'traffic.subscriptions': byCursor(
    'traffic subscriptions',
    RANGE,
    words('fan.id price_gross regular_price_gross action type subscribed_at expires_at'),
  ),
  'traffic.tracking-links': byCursor(
    'traffic tracking-links',
    RANGE,
    words('id name subscribers url is_active clicks created_at'),
  ),
  'traffic.tracking-link-users': byCursor('traffic tracking-link-users', COLLECTED, FAN_OF_LINK),
  'traffic.trial-links': byCursor(
    'traffic trial-links',
    RANGE,
    words('id name claims claims_limit url duration_days expires_at is_active clicks created_at'),
  ),
  'traffic.trial-link-users': byCursor('traffic trial-link-users', COLLECTED, FAN_OF_LINK),
  'revenue.chargebacks': byCursor(
    'revenue chargebacks',
    RANGE,
    words('id amount fan.id type status chargeback_timestamp transaction_timestamp'),
  ),
  'revenue.transactions': byCursor(
    'revenue transactions',
    RANGE,
    words('id amount fan.id type status timestamp'),
  ),
  'team.metrics': {
    command: 'team metrics',
    params: {
      from: '--from',
      to: '--to',
      creator_ids: '--creator',
      user_ids: '--user',
      account_group_id: '--group',
      role_id: '--role',
      ...OFFSETS,
    },
    fields: ['user_id', 'creator_ids', ...METRICS],
  },
  'team.members': {
    command: 'team members',
    params: OFFSETS,
    fields: words('id avatar name email createdAt customName'),
  },
  'fans.list': { command: 'fans list', params: { ...ACCOUNT, limit: '--limit' }, fields: ['fan_id'] },
  'chat.messages': {
    command: 'chat messages',
    params: { ...ACCOUNT, chat_id: '<CHAT>', limit: '--limit', message_id: '--before', order: '--order' },
    fields: words(
      'id text from_user is_sent_by_me created_at media media_count is_opened is_new price is_free can_purchase can_purchase_reason sender.type sender.user_id',
    ),
    nextToItems: ['has_more'],
  },
  'chat.send': {
    command: 'chat send',
    params: {
      ...ACCOUNT,
      chat_id: '<CHAT>',
      text: '--text',
      price: '--price',
      locked_text: '--locked',
      media: '--media',
    },
  },
  'fans.label': {
    command: 'fans label',
    params: { ...ACCOUNT, fan_id: '[FAN]', custom_name: '--name', note: '--note' },
  },
  'fans.follow': { command: 'fans follow', params: { ...ACCOUNT, fan_id: '[FAN]' } },
  'payouts.balances': {
    command: 'payouts balances',
    params: PLATFORM,
    fields: words(
      'payoutAvailable payoutPending currency minPayoutSumm maxPayoutSumm withdrawalPeriodOptions manualPayoutPendingDays withdrawalPeriod',
    ),
  },
  'payouts.list': {
    command: 'payouts list',
    params: { ...PLATFORM, ...OFFSETS, marker: '--marker' },
    fields: words('invoiceId createdAt amount currency state rejectReason'),
    nextToItems: ['marker'],
  },
  'payouts.request': { command: 'payouts request', params: { ...PLATFORM, withdrawal_amount: '--amount' } },
  'vault.folders': {
    command: 'vault folders',
    params: { ...ACCOUNT, ...OFFSETS },
    fields: words(
      'id type name has_media can_update can_delete videos_count photos_count gifs_count audios_count',
    ),
  },
  'vault.media': {
    command: 'vault media',
    params: { ...ACCOUNT, folder_id: '<FOLDER>', ...OFFSETS, type: '--type' },
    fields: words('id type can_view is_ready has_error converted_to_video created_at thumbnail_url'),
  },
  'vault.thumbnail': { command: 'vault thumbnail', params: { ...ACCOUNT, media_id: '<MEDIA>' } },
  'vault.uploads': {
    command: 'vault uploads',
    params: { ...ACCOUNT, ...OFFSETS, expired: '--expired' },
    fields: ['id', 'status', 'media_id', ...within('metadata', METADATA), 'created_at', 'updated_at'],
    nextToItems: ['total'],
  },
  'vault.verify-fan': { command: 'vault verify-fan', params: { ...ACCOUNT, fan_link: '<URL>' } },
  'vault.upload-start': {
    command: 'vault upload',
    params: UPLOADED,
    asCode: UPLOADED_AS_CODE,
  },
  'vault.upload-finish': {
    command: 'vault upload',
    params: { ...ACCOUNT, key: '<FILE...>', upload_id: '<FILE...>', parts: '<FILE...>' },
  },
  'vault.upload-export': {
    command: 'vault upload',
    params: {
      ...UPLOADED,
      key: '<FILE...>',
      e_tag: '<FILE...>',
      get_url: '<FILE...>',
      export_type: '--type',
      export_fan_id: '--fan',
      rf_guest: '--guest',
      rf_partner: '--partner',
      rf_tag: '--tag',
    },
    asCode: {
      ...UPLOADED_AS_CODE,
      export_fan_id: 'export_fan_id',
      rf_guest: 'rf_guest',
      rf_partner: 'rf_partner',
      rf_tag: 'rf_tag',
    },
  },
  'vault.upload-retry': { command: 'vault retry', params: { ...ACCOUNT, upload_id: '<UPLOAD>' } },
  'campaigns.list': {
    command: 'campaigns list',
    params: { ...ACCOUNT, ...OFFSETS, include_archived: '--archived' },
    fields: [
      ...words(
        'id account_id name trigger action status created_by.type created_by.id created_at rules audience_filters messages targeted_sends_count follow_up_message_stats',
      ),
      ...within('first_message_stats', STATS),
    ],
    nextToItems: ['has_more'],
  },
  'campaigns.create': {
    command: 'apply',
    params: {
      account_id: 'accounts',
      ...ofFile('campaigns', 'trigger action name rules audience_filters messages'),
    },
  },
  'campaigns.get': { command: 'campaigns get', params: OBJECT },
  'campaigns.set-status': {
    command: 'campaigns activate',
    params: { ...OBJECT, status: 'the command' },
  },
  'campaigns.unsend': { command: 'campaigns recall', params: STOPPED },
  'broadcasts.list': {
    command: 'broadcasts list',
    params: { ...ACCOUNT, ...OFFSETS, include_archived: '--archived' },
    fields: [
      ...words(
        'id account_id name status pause_reason progress_percent created_by.type created_by.id created_at scheduled_at scheduled_at_timezone rules audience_filters messages targeted_recipients_count',
      ),
      ...within('stats', STATS),
    ],
    nextToItems: ['has_more'],
  },
  'broadcasts.create': {
    command: 'broadcasts send',
    params: {
      account_id: 'accounts',
      ...ofFile('broadcasts', 'name scheduled_at'),
      scheduled_at_timezone_mode: 'broadcasts.scheduled_at_timezone',
      ...ofFile('broadcasts', 'rules audience_filters messages'),
    },
  },
  'broadcasts.get': { command: 'broadcasts get', params: OBJECT },
  'broadcasts.set-status': { command: 'broadcasts pause', params: { ...STOPPED, status: 'the command' } },
  'broadcasts.unsend': { command: 'broadcasts recall', params: STOPPED },
};

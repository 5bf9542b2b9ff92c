/**
 * What a media in the vault or in a chat says about itself, drawn from a number: one in twelve cannot be viewed, one is
 * not ready, and one has an error.
 */
export function mediaFlags(drawn: number, type: string) {
  const odd = drawn % 12;
  return {
    can_view: odd !== 1,
    is_ready: odd !== 2,
    has_error: odd === 3,
    converted_to_video: type === 'gif',
  };
}

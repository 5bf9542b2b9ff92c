// Methods of Set that gitlab-ci-local needs and Node 20 does not have.
Set.prototype.union ??= function union(other) {
  return new Set([...this, ...other]);
};
Set.prototype.intersection ??= function intersection(other) {
  return new Set([...this].filter((one) => other.has(one)));
};
Set.prototype.difference ??= function difference(other) {
  return new Set([...this].filter((one) => !other.has(one)));
};

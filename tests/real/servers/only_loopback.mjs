// node --import ./only_loopback.mjs SERVER: whatever listens on a TCP port listens on 127.0.0.1 alone.
import { Server } from "node:net";

const original = Server.prototype.listen;
const isPort = (value) => value !== null && value !== undefined && /^\d+$/.test(String(value));

Server.prototype.listen = function listen(where, ...rest) {
  if (isPort(where)) {
    const host = typeof rest[0] === "string" ? rest.slice(1) : rest;
    return original.call(this, where, "127.0.0.1", ...host);
  }
  if (where !== null && typeof where === "object" && isPort(where.port)) {
    return original.call(this, { ...where, host: "127.0.0.1" }, ...rest);
  }
  return original.call(this, where, ...rest);
};

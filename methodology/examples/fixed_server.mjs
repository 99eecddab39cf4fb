// A server on the official TypeScript SDK 1.x and Express that mends what the SDK leaves to you: fixed_server.mjs PORT
import { randomUUID } from "node:crypto";
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js";
import express from "express";
import { z } from "zod";

const port = Number(process.argv[2]);

// --8<-- addresses
const inside = new BlockList();
for (const [net, bits] of [["0.0.0.0", 8], ["10.0.0.0", 8], ["100.64.0.0", 10], ["127.0.0.0", 8], ["169.254.0.0", 16],
  ["172.16.0.0", 12], ["192.168.0.0", 16], ["198.18.0.0", 15], ["224.0.0.0", 3]]) inside.addSubnet(net, bits, "ipv4");
for (const [net, bits] of [["::", 96], ["64:ff9b::", 96], ["fc00::", 7], ["fe80::", 10], ["ff00::", 8]])
  inside.addSubnet(net, bits, "ipv6"); // IPv4 addresses that are written as IPv6 are found among those above

async function mustBePublic(url) {
  const { protocol, hostname } = new URL(url);
  if (!["http:", "https:"].includes(protocol)) throw new Error("an http or https URL is needed");
  const host = hostname.replace(/^\[|\]$/g, "");
  const found = isIP(host) ? [{ address: host, family: isIP(host) }] : await lookup(host, { all: true });
  for (const { address, family } of found)
    if (inside.check(address, `ipv${family}`)) throw new Error("this host is not public");
}
// --8<-- end

function created() {
  const server = new McpServer({ name: "fixed", version: "1.0.0" });
  server.registerTool("page_title", { description: "The first line of a page.", inputSchema: { url: z.string() } },
    async ({ url }) => {
      await mustBePublic(url);
      const answer = await fetch(url, { redirect: "manual" });
      return { content: [{ type: "text", text: (await answer.text()).split("\n")[0] }] };
    });
  return server;
}

const app = express();

// --8<-- origin
const origins = [`http://127.0.0.1:${port}`];
const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
app.use((request, response, next) => {
  const { origin, host } = request.headers;
  const known = (origin === undefined || origins.includes(origin)) && hosts.includes(host);
  return known ? next() : response.sendStatus(403);
});
// --8<-- end

// --8<-- requests
const refuse = (response, status, code, message) =>
  response.status(status).json({ jsonrpc: "2.0", error: { code, message } });
const isMessage = (body) => body?.jsonrpc === "2.0" && !Array.isArray(body) &&
  ("method" in body ? typeof body.method === "string" : "result" in body || "error" in body);

app.use(express.json({ strict: false }));
app.use((error, request, response, next) =>
  error.type === "entity.parse.failed" ? refuse(response, 400, -32700, "Parse error") : next(error));
app.post("/mcp", (request, response, next) =>
  isMessage(request.body) ? next() : refuse(response, 400, -32600, "Invalid Request"));
// --8<-- end

// --8<-- sessions
const sessions = new Map();
app.all("/mcp", async (request, response) => {
  const id = request.headers["mcp-session-id"];
  if (id !== undefined) {
    const transport = sessions.get(id);
    if (transport === undefined) return refuse(response, 404, -32001, "Session not found"); // not 400
    return transport.handleRequest(request, response, request.body);
  }
  if (!isInitializeRequest(request.body)) return refuse(response, 400, -32000, "Mcp-Session-Id is missing");
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (opened) => { sessions.set(opened, transport); },
    onsessionclosed: (ended) => { sessions.delete(ended); },
  });
  await created().connect(transport);
  return transport.handleRequest(request, response, request.body);
});
// --8<-- end

app.listen(port, "127.0.0.1");

// A harbour as an MCP server, on the official TypeScript SDK 2.x: node ts_server.mjs stdio | http PORT
import { createServer } from "node:http";
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const boats = new Map([["Alma", "trawler"], ["Brise", "sloop"], ["Cormorant", "ferry"]]);
const names = [...boats.keys()];
const readOnly = { readOnlyHint: true };
const says = (text) => ({ content: [{ type: "text", text }] });
const asks = (text) => ({ messages: [{ role: "user", content: { type: "text", text } }] });
const holds = (uri, text) => ({ contents: [{ uri: uri.href, mimeType: "text/plain", text }] });

function harbour() {
  const server = new McpServer(
    { name: "harbour-ts2", version: "1.0.0" },
    { instructions: "Ask for the boats of a small harbour." },
  );
  server.registerTool(
    "backwards",
    {
      description: "The text, last letter first.",
      inputSchema: z.object({ text: z.string() }),
      annotations: readOnly,
    },
    async ({ text }) => says([...text].reverse().join("")),
  );
  server.registerTool(
    "boats",
    {
      description: "Names of the boats.",
      outputSchema: z.object({ names: z.array(z.string()) }),
      annotations: readOnly,
    },
    async () => ({ ...says(names.join(", ")), structuredContent: { names } }),
  );
  server.registerTool(
    "tide",
    { description: "Water level; reports progress while it measures.", annotations: readOnly },
    async (context) => {
      const { progressToken } = context.mcpReq._meta ?? {};
      for (const progress of progressToken === undefined ? [] : [1, 2, 3]) {
        await context.mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress, total: 3 },
        });
      }
      return says("two metres, falling");
    },
  );
  server.registerTool(
    "share",
    {
      description: "Weight of fish for each of the crew; a crew of 0 is an error.",
      inputSchema: z.object({ catch: z.number(), crew: z.number().int() }),
    },
    async (given) => {
      if (given.crew === 0) throw new Error("there is no crew");
      return says(String(given.catch / given.crew));
    },
  );
  const text = { mimeType: "text/plain" };
  server.registerResource("list_of_boats", "harbour://boats", { description: "All boats, one a line.", ...text },
    async (uri) => holds(uri, names.join("\n")));
  server.registerResource("boat", new ResourceTemplate("harbour://boats/{name}", { list: undefined }),
    { description: "What kind of boat this is.", ...text },
    async (uri, { name }) => {
      if (!boats.has(name)) throw new Error(`no boat is called ${name}`);
      return holds(uri, boats.get(name));
    });
  server.registerPrompt("hail", { description: "Greet a boat.", argsSchema: z.object({ name: z.string() }) },
    ({ name }) => asks(`Write a greeting for the crew of the ${name}.`));
  server.registerPrompt("log_entry", { description: "Sum the day up." },
    () => asks("Write today's entry for the harbour log."));
  return server;
}

const [way, port] = process.argv.slice(2);
if (way === "stdio") {
  serveStdio(harbour);
} else {
  const answer = toNodeHandler(createMcpHandler(harbour));
  const hostIsLocal = localhostHostValidation();
  const originIsLocal = localhostOriginValidation();
  createServer((request, response) => {
    if (!hostIsLocal(request, response) || !originIsLocal(request, response)) return;
    if (new URL(request.url, "http://localhost").pathname === "/mcp") answer(request, response);
    else response.writeHead(404).end();
  }).listen(Number(port), "127.0.0.1");
}

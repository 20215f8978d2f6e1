import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, exportPKCS8, exportSPKI, generateKeyPair, type JWK, SignJWT } from "jose";
import type { Claims } from "./single-sign-on";

/** A key pair of a platform, which signs tokens with it. */
export async function makeKey(kid: string, alg: "RS256" | "ES256" = "RS256") {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return {
    jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" },
    /** For the libraries that read PEM. */
    pem: { private: await exportPKCS8(privateKey), public: await exportSPKI(publicKey) },
    sign: (claims: Claims, header: object = { kid }) =>
      new SignJWT(claims).setProtectedHeader({ alg, ...header }).sign(privateKey),
  };
}

/** A server of a JSON Web Key Set that can be replaced, and counts how often it was asked for. */
export async function serveKeys() {
  let asked = 0;
  let answer: { status: number; keys: JWK[] } = { status: 200, keys: [] };
  const server = createServer((_, response) => {
    asked++;
    response.writeHead(answer.status, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ keys: answer.keys }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    address: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`),
    asked: () => asked,
    show(...keys: { jwk: JWK }[]) {
      answer = { status: 200, keys: keys.map(({ jwk }) => jwk) };
    },
    fail() {
      answer = { status: 500, keys: [] };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

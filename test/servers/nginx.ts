import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { removeIfThere } from "../../agent/disk/file-system.ts";
import { freePorts, makeCertificate, type Program, programPath, startProgram } from "./process.ts";
import { password, type TestServer, username } from "./server.ts";

export type WebServer = TestServer & {
  /** The same files over TLS with a self-signed certificate, and that certificate. */
  readonly tlsFolder: string;
  readonly certificate: string;
  /** The same files, readable by everybody, not writable. */
  readonly openFolder: string;
};

/** Why nginx cannot be started here. */
export const nginxLacks = (): string | undefined => (programPath("nginx") ? undefined : "nginx is not installed");

/** nginx with WebDAV; `files` is where it keeps them. */
export const startNginx = async (folder: string, files = join(folder, "files")): Promise<WebServer> => {
  const [port = 0, tlsPort = 0] = await freePorts(2);
  await mkdir(join(files, "out"), { recursive: true });
  await chmod(folder, 0o755);
  await writeFile(join(folder, "users"), `${username}:{PLAIN}${password}\n`);
  const { certificate, key } = makeCertificate(folder);
  await writeFile(join(folder, "nginx.conf"), configOf({ folder, files, port, tlsPort, certificate, key }));
  const start = (): Promise<Program> =>
    startProgram(programPath("nginx") ?? "nginx", ["-p", folder, "-c", join(folder, "nginx.conf")], port);
  let program = await start();
  const at = (name: string): string => join(files, "out", name);
  return {
    folder: `http://127.0.0.1:${port}/dav/out`,
    openFolder: `http://127.0.0.1:${port}/open/out`,
    tlsFolder: `https://127.0.0.1:${tlsPort}/dav/out`,
    certificate: await readFile(certificate, "utf8"),
    credential: { kind: "http", username, password },
    wrong: { kind: "http", username, password: "wrong" },
    put: async (name, bytes) => {
      await mkdir(dirname(at(name)), { recursive: true });
      await writeFile(at(name), bytes);
    },
    get: (name) => readFile(at(name)).catch(() => undefined),
    kill: async () => {
      await program.stop("SIGKILL");
      await removeIfThere(join(folder, "nginx.pid"));
    },
    restart: async () => {
      program = await start();
    },
    stop: () => program.stop("SIGKILL"),
  };
};

type Places = Record<"folder" | "files" | "certificate" | "key", string> & Record<"port" | "tlsPort", number>;

const configOf = ({ folder, files, port, tlsPort, certificate, key }: Places): string => `
daemon off; user root; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
load_module /usr/lib/nginx/modules/ngx_http_dav_ext_module.so;
events { worker_connections 100; }
http {
  access_log off; client_max_body_size 0; client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  server {
    listen 127.0.0.1:${port}; listen 127.0.0.1:${tlsPort} ssl;
    ssl_certificate ${certificate}; ssl_certificate_key ${key};
    location /open/ { alias ${files}/; }
    location /leads-on/ { return 302 /open/out/; }
    location /dav/ {
      alias ${files}/; auth_basic "dav"; auth_basic_user_file ${folder}/users;
      dav_methods PUT DELETE MKCOL COPY MOVE; dav_ext_methods PROPFIND OPTIONS; create_full_put_path off;
    }
  }
}
`;

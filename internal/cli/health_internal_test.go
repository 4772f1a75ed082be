package cli

import "testing"

// A server at every address is asked by number: an image without a list of hosts does not know localhost.
func TestLocalHost(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1", "127.0.0.2": "127.0.0.2", "::1": "::1",
		"192.0.2.7": "192.0.2.7", "server.internal": "server.internal",
	} {
		if got := localHost(host); got != want {
			t.Errorf("a server at %q is asked at %q, not %q", host, got, want)
		}
	}
}

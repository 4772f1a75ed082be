package config

func following() []Setting {
	return []Setting{switchOf("feeds-allow-private",
		"Whether feeds of calendars may be read from private networks and from this machine, which is for servers at home "+
			"and for tests. Otherwise an address that leads there, also by a redirect, is refused: users could reach what "+
			"only this machine should.",
		func(d *draft) *bool { return &d.FeedsAllowPrivate }),
		switchOf("webhooks-allow-private",
			"Whether webhooks may be at addresses of private networks and of this machine, also by plain http, which is for "+
				"servers at home and for tests. Otherwise nothing is sent to an address that leads there.",
			func(d *draft) *bool { return &d.DeliverPrivate })}
}

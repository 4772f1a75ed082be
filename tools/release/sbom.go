package main

import (
	"debug/buildinfo"
	"fmt"
	"io"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"

	"almanac/tools/components"
)

// componentsOf returns what a program embeds: the Go modules that the linker has written into it, and all that belongs
// to the pages. A module that has no licence here is an error.
func componentsOf(program string, all []components.Component) ([]components.Component, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	linked := map[string]string{components.Standard: strings.TrimPrefix(info.GoVersion, "go")}
	for _, module := range info.Deps {
		linked[module.Path] = module.Version
	}
	var inside []components.Component
	for _, c := range all {
		version, there := linked[c.Name]
		switch {
		case c.Ecosystem != components.GoModule:
			inside = append(inside, c)
		case there && version == c.Version:
			inside = append(inside, c)
			delete(linked, c.Name)
		}
	}
	if len(linked) > 0 {
		return nil, fmt.Errorf("the program embeds what the list of licences does not have: %v", linked)
	}
	return inside, nil
}

// writeSBOM writes what a program embeds in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json).
func (r release) writeSBOM(path string, target components.Target, inside []components.Component) error {
	bom := cdx.NewBOM()
	self := &cdx.Component{BOMRef: "almanac", Type: cdx.ComponentTypeApplication, Name: "almanac", Version: r.version,
		Licenses:   licences([]string{"Apache-2.0"}),
		Properties: &[]cdx.Property{{Name: "goos", Value: target.OS}, {Name: "goarch", Value: target.Arch}}}
	bom.Metadata = &cdx.Metadata{Timestamp: r.made.Format(time.RFC3339), Component: self}
	var parts []cdx.Component
	var refs []string
	for _, c := range inside {
		parts = append(parts, cdx.Component{BOMRef: c.PURL(), Type: cdx.ComponentTypeLibrary, Name: c.Name,
			Version: c.Version, PackageURL: c.PURL(), Licenses: licences(c.Licences)})
		refs = append(refs, c.PURL())
	}
	bom.Components = &parts
	bom.Dependencies = &[]cdx.Dependency{{Ref: "almanac", Dependencies: &refs}}
	return create(path, func(out io.Writer) error {
		encoder := cdx.NewBOMEncoder(out, cdx.BOMFileFormatJSON)
		return encoder.SetPretty(true).EncodeVersion(bom, cdx.SpecVersion1_6)
	})
}

// licences are SPDX identifiers as CycloneDX has them.
func licences(ids []string) *cdx.Licenses {
	var all cdx.Licenses
	for _, id := range ids {
		all = append(all, cdx.LicenseChoice{License: &cdx.License{ID: id}})
	}
	return &all
}
